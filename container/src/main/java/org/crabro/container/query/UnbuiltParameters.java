package org.crabro.container.query;

import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Parameters of Vespa that change the hits and that are not built. They are rejected, because a
 * result without one of the conditions would look right.
 */
final class UnbuiltParameters {
    /** In lower case. */
    private static final Set<String> NAMES = Set.of("presentation.template", "page.id");

    private UnbuiltParameters() {}

    /**
     * Checks the names of all parameters.
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
