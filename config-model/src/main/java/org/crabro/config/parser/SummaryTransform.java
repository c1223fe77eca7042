package org.crabro.config.parser;

import java.util.Optional;

/**
 * How a summary transforms a value.
 *
 * @param word {@code dynamic}, {@code bolding}, {@code tokens}, {@code matched-elements-only} or
 *     {@code select-elements-by}
 * @param feature the feature that selects elements, only with {@code select-elements-by}
 */
public record SummaryTransform(Name word, Optional<RawText> feature) {
    SummaryTransform(Name word) {
        this(word, Optional.empty());
    }
}
