package org.crabro.container.query;

import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Parameters that Vespa knows and that change what is found, and that are not built: they are
 * refused, since an answer that leaves a condition out looks right.
 */
final class UnbuiltParameters {
    /** In lower case. */
    private static final Set<String> NAMES =
            Set.of("rules.rulebase", "presentation.template", "page.id");

    private UnbuiltParameters() {}

    /**
     * Looks at every parameter.
     *
     * @throws IllegalQueryException if one is not built
     */
    static void refuse(Map<String, String> values) {
        for (String name : values.keySet()) {
            if (NAMES.contains(name.toLowerCase(Locale.ROOT))) {
                throw new IllegalQueryException(
                        ErrorCode.INVALID_PARAMETER, "'" + name + "' is not built yet");
            }
        }
    }
}
