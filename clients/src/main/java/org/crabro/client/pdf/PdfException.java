package org.crabro.client.pdf;

/** A PDF file whose text cannot be read. The message says why, and does not name the file. */
public final class PdfException extends Exception {
    private static final long serialVersionUID = 1;

    PdfException(String message) {
        super(message);
    }
}
