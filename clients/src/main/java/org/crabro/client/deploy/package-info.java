/**
 * Application packages and samples as directories, and packages as the archives that are deployed.
 * It sends no requests.
 */
@NullMarked
package org.crabro.client.deploy;

import org.jspecify.annotations.NullMarked;
