/**
 * Texts of PDF files, which a process of its own reads: a file that is made to harm ends that
 * process, and not the import. The process opens no port. It reads paths from its standard input,
 * and ends with it.
 *
 * <p>Start reading at {@link org.crabro.client.pdf.PdfReader}.
 *
 * <p>This package does not know records and schemas.
 */
@NullMarked
package org.crabro.client.pdf;

import org.jspecify.annotations.NullMarked;
