package org.crabro.container.query;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import java.util.Map;

/** Rejects parameters that a request must not set, that are not built, or that are no text. */
final class ParameterChecks {
    private static final List<Parameter> ONLY_IN_PROFILES =
            List.of(
                    Parameter.MAX_HITS,
                    Parameter.MAX_OFFSET,
                    Parameter.MAX_QUERY_ITEMS,
                    Parameter.GLOBAL_MAX_GROUPS);

    private ParameterChecks() {}

    /**
     * Checks the parameters of a request.
     *
     * @param request the parameters of the request itself
     * @param all the same over those of its query profile
     * @throws IllegalQueryException if one of them is wrong
     */
    static void check(Parameters request, Parameters all, SearchedApplication application) {
        if (request.hasAny(ONLY_IN_PROFILES)) {
            for (String name : request.values().keySet()) {
                if (Parameter.named(name).filter(ONLY_IN_PROFILES::contains).isPresent()) {
                    throw illegal("'" + name + "' cannot be set by a request");
                }
            }
        }
        for (Map.Entry<String, String> entry : all.values().entrySet()) {
            // A text without an encoding cannot be sent to a content node and matches nothing.
            if (hasLoneSurrogate(entry.getValue())) {
                throw illegal("'" + entry.getKey() + "' contains half of a surrogate pair");
            }
        }
        UnbuiltParameters.refuse(all.values());
        String chain = all.text(Parameter.SEARCH_CHAIN).orElse("default");
        if (!application.hasSearchChain(chain)) {
            throw new IllegalQueryException(
                    ErrorCode.INVALID_PARAMETER, "there is no search chain '" + chain + "'");
        }
    }

    private static boolean hasLoneSurrogate(String text) {
        // Texts of vectors are long: encoding and decoding process many characters at a time.
        return !new String(text.getBytes(UTF_8), UTF_8).equals(text);
    }

    private static IllegalQueryException illegal(String problem) {
        return new IllegalQueryException(ErrorCode.ILLEGAL_QUERY, problem);
    }
}
