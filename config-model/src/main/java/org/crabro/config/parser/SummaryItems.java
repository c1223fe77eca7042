package org.crabro.config.parser;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.crabro.config.parser.SchemaScanner.Token;
import org.jspecify.annotations.Nullable;

/**
 * The items of one field of a summary that are parsed so far.
 *
 * <pre>
 *   item := "full" | "static" | "dynamic" | "tokens" | "matched-elements-only"
 *         | "select-elements-by" ":" feature | "bolding" ":" bool | "source" ":" id { "," id } | "to" ":" did { "," did }
 * </pre>
 */
final class SummaryItems {
    private static final Set<String> ITEMS =
            Set.of(
                    "full",
                    "static",
                    "dynamic",
                    "tokens",
                    "matched-elements-only",
                    "select-elements-by",
                    "bolding",
                    "source",
                    "to");

    private final SchemaCursor cursor;
    final List<Name> sources = new ArrayList<>();
    final List<Name> to = new ArrayList<>();
    private SummaryTransform transform = SummaryTransform.NONE;
    private @Nullable Token toWord;

    SummaryItems(SchemaCursor cursor) {
        this.cursor = cursor;
    }

    Optional<SummaryTransform> transform() {
        return Optional.of(transform).filter(given -> !given.isNone());
    }

    /** Warns that {@code to} is ignored, if it was used. */
    void refuseTo() {
        if (toWord != null) {
            cursor.warn(toWord, "to is ignored: the field is only in the summary that declares it");
        }
    }

    void item() {
        Token word = cursor.peek();
        Name item = cursor.oneOf(ITEMS);
        switch (item.text()) {
            case "full", "static" -> {}
            case "source" -> {
                cursor.expect(":");
                sources.addAll(cursor.ids("a field's name"));
            }
            case "to" -> {
                toWord = word;
                cursor.expect(":");
                to.addAll(cursor.dashedIds("a document-summary's name"));
            }
            case "bolding" -> {
                if (cursor.booleanBehindColon()) {
                    take(item);
                }
            }
            case "select-elements-by" -> take(SummaryTransform.selecting(item, feature()));
            default -> take(item);
        }
    }

    private RawText feature() {
        Token colon = cursor.peek();
        List<RawText> features = colon.is(":") ? cursor.rawWords() : List.of();
        if (features.size() != 1) {
            throw new SchemaSyntaxException(
                    cursor.at(colon),
                    "expected ':' and the feature that selects elements, but found "
                            + (features.isEmpty() ? "none" : features.size() + " of them"));
        }
        return features.getFirst();
    }

    private void take(Name item) {
        take(SummaryTransform.of(item));
    }

    private void take(SummaryTransform item) {
        transform = transform.with(item);
    }
}
