package org.crabro.document.json;

import java.util.Optional;
import org.crabro.document.Document;

/**
 * What the body of a put says.
 *
 * @param condition a selection that the stored document must match, where one is given
 * @param create whether a put with a condition is carried out where there is no document
 * @param someIgnored whether fields were left out that the type does not have
 */
public record DocumentBody(
        Document document, Optional<String> condition, boolean create, boolean someIgnored) {}
