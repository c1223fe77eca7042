package org.crabro.container.yql;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.crabro.protocol.search.Collation;
import org.crabro.protocol.search.SortKey;
import org.crabro.protocol.search.TextOrder;

/** Reads the order of values in queries. */
public final class TextOrders {
    private TextOrders() {}

    /**
     * Returns the order by the rules of a language.
     *
     * @throws IllegalArgumentException if there is no such strength, or the locale is not a valid
     *     tag
     */
    public static TextOrder.Collated collated(Optional<String> locale, Optional<String> strength) {
        locale.filter(tag -> !Collation.isLocale(tag))
                .ifPresent(tag -> {
                    throw new IllegalArgumentException(
                            "expected a language tag such as de or en-US, got '" + tag + "'");
                });
        return new TextOrder.Collated(locale, strength.map(TextOrders::strength));
    }

    /** Returns which of several values is called so: {@code min}, {@code max} or {@code sum}. */
    public static Optional<SortKey.Several> several(String name) {
        return switch (name.toLowerCase(Locale.ROOT)) {
            case "min" -> Optional.of(SortKey.Several.LEAST);
            case "max" -> Optional.of(SortKey.Several.LARGEST);
            case "sum" -> Optional.of(SortKey.Several.SUM);
            default -> Optional.empty();
        };
    }

    private static TextOrder.Strength strength(String name) {
        return Stream.of(TextOrder.Strength.values())
                .filter(each -> each.name().equalsIgnoreCase(name))
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException(
                                "expected a strength of %s, got '%s'"
                                        .formatted(
                                                Stream.of(TextOrder.Strength.values())
                                                        .map(each ->
                                                                each.name()
                                                                        .toLowerCase(Locale.ROOT))
                                                        .collect(Collectors.joining(", ")),
                                                name)));
    }
}
