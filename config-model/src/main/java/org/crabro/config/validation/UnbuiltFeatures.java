package org.crabro.config.validation;

import java.util.Set;

/** Features that the language has and Crabro does not yet, so that they are not taken for typos. */
final class UnbuiltFeatures {
    private static final Set<String> NAMES =
            Set.of(
                    "debugWait",
                    "flowCompleteness",
                    "globalPhase",
                    "jaroWinklerDistance",
                    "onnxVespa",
                    "proximity",
                    "queryCompleteness",
                    "reverseProximity",
                    "secondPhase",
                    "subqueries",
                    "termEditDistance",
                    "term_field_md");

    private UnbuiltFeatures() {}

    static boolean contains(String name) {
        return NAMES.contains(name);
    }
}
