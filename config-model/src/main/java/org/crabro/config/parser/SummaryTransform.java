package org.crabro.config.parser;

import java.util.Optional;

/**
 * How a summary transforms a value: its form, and independently which elements it shows.
 *
 * @param form {@code dynamic}, {@code bolding} or {@code tokens}; empty for the whole value
 * @param selection {@code matched-elements-only} or {@code select-elements-by}; empty for all
 *     elements
 * @param feature the feature that selects elements, only with {@code select-elements-by}
 */
public record SummaryTransform(
        Optional<Name> form, Optional<Name> selection, Optional<RawText> feature) {
    static final SummaryTransform NONE =
            new SummaryTransform(Optional.empty(), Optional.empty(), Optional.empty());

    /** Returns a transform to a form, or one that selects elements, as {@code word} says. */
    static SummaryTransform of(Name word) {
        return word.text().equals("matched-elements-only")
                ? new SummaryTransform(Optional.empty(), Optional.of(word), Optional.empty())
                : new SummaryTransform(Optional.of(word), Optional.empty(), Optional.empty());
    }

    static SummaryTransform selecting(Name word, RawText feature) {
        return new SummaryTransform(Optional.empty(), Optional.of(word), Optional.of(feature));
    }

    /** Returns whether the value is shown as it is. */
    boolean isNone() {
        return form.isEmpty() && selection.isEmpty();
    }

    /**
     * Returns both transforms. With {@code dynamic}, other forms have no effect.
     *
     * @throws SchemaSyntaxException if they contradict each other
     */
    SummaryTransform with(SummaryTransform more) {
        if (more.selection.isPresent()) {
            selection.ifPresent(before -> expectEqual(before, more.selection.get()));
        }
        return new SummaryTransform(
                form(more), more.selection.or(() -> selection), more.feature.or(() -> feature));
    }

    private Optional<Name> form(SummaryTransform more) {
        if (form.isEmpty() || more.form.isEmpty()) {
            return more.form.or(() -> form);
        }
        if (form.get().text().equals("dynamic")) {
            return form;
        }
        if (!more.form.get().text().equals("dynamic")) {
            expectEqual(form.get(), more.form.get());
        }
        return more.form;
    }

    private static void expectEqual(Name before, Name word) {
        if (!before.text().equals(word.text())) {
            throw new SchemaSyntaxException(
                    word.at(), word.text() + " does not go with " + before.text());
        }
    }
}
