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
            List.of("rules.rulebase", "presentation.template", "page.id", "relatedto.");

    private UnbuiltParameters() {}

    /**
     * Looks at every parameter.
     *
     * @throws IllegalQueryException if one is not built
     */
    static void refuse(Map<String, String> values) {
        values.keySet()
                .forEach(name -> {
                    String lower = name.toLowerCase(Locale.ROOT);
                    if (isUnbuilt(lower)) {
                        throw new IllegalQueryException(
                                ErrorCode.INVALID_PARAMETER, "'" + name + "' is not built yet");
                    }
                });
    }

    private static boolean isUnbuilt(String name) {
        for (String each : NAMES) {
            if (each.endsWith(".") ? name.startsWith(each) : name.equals(each)) {
                return true;
            }
        }
        return false;
    }
}
