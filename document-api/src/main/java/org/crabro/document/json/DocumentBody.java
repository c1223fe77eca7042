package org.crabro.document.json;

import java.util.Optional;
import org.crabro.document.Document;

/**
 * The body of a put.
 *
 * @param condition a selection that the stored document must match, if there is one
 * @param create whether a put with a condition is executed if there is no document
 * @param someIgnored whether unknown fields were ignored
 */
public record DocumentBody(
        Document document, Optional<String> condition, boolean create, boolean someIgnored) {}
