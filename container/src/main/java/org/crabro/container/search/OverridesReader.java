package org.crabro.container.search;

import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import org.crabro.protocol.search.RankOverrides;

/** Reads what a request says of ranking over what rank profiles say. */
final class OverridesReader {
    private static final List<String> PROPERTIES = List.of("ranking.properties.", "rankproperty.");

    private static final String ELEMENT_GAP = "ranking.elementgap.";
    private static final String INFINITE = "infinity";

    private final Parameters parameters;

    OverridesReader(Parameters parameters) {
        this.parameters = parameters;
    }

    /**
     * Returns what it says.
     *
     * @throws IllegalQueryException if a gap is none
     */
    RankOverrides overrides() {
        var properties = new HashMap<String, String>();
        var gaps = new HashMap<String, Integer>();
        parameters
                .values()
                .forEach((name, value) -> {
                    for (String prefix : PROPERTIES) {
                        behind(name, prefix).ifPresent(rest -> properties.put(rest, value));
                    }
                    behind(name, ELEMENT_GAP).ifPresent(field -> gaps.put(field, gap(name, value)));
                });
        return new RankOverrides(
                properties, gaps, parameters.truth(Parameter.LIST_FEATURES, false));
    }

    /** Returns what stands behind a prefix that is read in any case. */
    private static Optional<String> behind(String name, String prefix) {
        return name.length() > prefix.length()
                        && name.regionMatches(true, 0, prefix, 0, prefix.length())
                ? Optional.of(name.substring(prefix.length()))
                : Optional.empty();
    }

    private static int gap(String name, String text) {
        if (text.strip().equalsIgnoreCase(INFINITE)) {
            return RankOverrides.NO_NEARNESS;
        }
        return Parameters.countIn(text.strip())
                .orElseThrow(() ->
                        new IllegalQueryException(
                                ErrorCode.ILLEGAL_QUERY,
                                "Could not set '%s': expected a whole number from 0 on or infinity but found '%s'"
                                        .formatted(name, text)));
    }
}
