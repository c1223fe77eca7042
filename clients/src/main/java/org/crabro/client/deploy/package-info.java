/**
 * Application packages as directories, and as the archives that are deployed. It sends no requests.
 */
@NullMarked
package org.crabro.client.deploy;

import org.jspecify.annotations.NullMarked;
