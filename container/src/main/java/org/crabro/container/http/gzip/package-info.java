/**
 * Unpacks gzip that arrives in pieces: {@link org.crabro.container.http.gzip.GzipMembers}.
 *
 * <p>This package knows no requests, and does not wait for bytes.
 */
@NullMarked
package org.crabro.container.http.gzip;

import org.jspecify.annotations.NullMarked;
