package org.crabro.client.pdf;

import java.time.Instant;
import java.util.Optional;

/**
 * What a PDF file says.
 *
 * @param text of its pages; empty if they have only pictures
 * @param isCut whether the text is longer than {@link PdfReader#CHARS_MAX}, or on more than {@link
 *     PdfReader#PAGES_MAX} pages
 */
public record PdfText(
        Optional<String> title,
        Optional<String> author,
        Optional<Instant> created,
        String text,
        boolean isCut) {}
