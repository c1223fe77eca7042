/**
 * Generated documents and mails, and the stores, packages and servers that contain them.
 *
 * <p>Start reading at {@link org.crabro.perf.data.GeneratedStore} and {@link
 * org.crabro.perf.data.DeployedPackage}. The package measures nothing.
 */
@NullMarked
package org.crabro.perf.data;

import org.jspecify.annotations.NullMarked;
