/**
 * Keeps records in mapped files until they are done, also over the end of the process. Start
 * reading at {@link org.crabro.client.spool.Spool}; {@code SpoolLayout} knows where the bytes lie.
 *
 * <p>This package does not know what an operation is, nor who sends it. {@code SpoolMapping} alone
 * uses {@code chronicle-bytes}, which may be missing.
 */
@NullMarked
package org.crabro.client.spool;

import org.jspecify.annotations.NullMarked;
