package org.crabro.container.search;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Parameters that Vespa knows and that change what is found, and that are not built: they are
 * refused, since an answer that leaves a condition out looks right.
 */
final class UnbuiltParameters {
    /** Names, and beginnings of names that end in a dot, in lower case. */
    private static final List<String> NAMES =
            List.of(
                    "rules.rulebase",
                    "presentation.template",
                    "page.id",
                    "ranking.location",
                    "pos.",
                    "relatedto.");

    private UnbuiltParameters() {}

    /**
     * Looks at every parameter.
     *
     * @throws IllegalQueryException if one is not built
     */
    static void refuse(Map<String, String> values) {
        values.forEach((name, value) -> {
            String lower = name.toLowerCase(Locale.ROOT);
            boolean isUnbuilt =
                    NAMES.stream()
                            .anyMatch(each ->
                                    each.endsWith(".")
                                            ? lower.startsWith(each)
                                            : lower.equals(each));
            if (isUnbuilt) {
                throw new IllegalQueryException(
                        ErrorCode.INVALID_PARAMETER,
                        "'" + name + "' is not built yet" + hint(lower));
            }
        });
    }

    private static String hint(String name) {
        return name.equals("ranking.location") || name.startsWith("pos.")
                ? ": say geoLocation or geoBoundingBox in the query"
                : "";
    }
}
