package org.crabro.config.queryprofile;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The query profile types that exist without a file: {@code native} for all parameters that have a
 * meaning of their own, and one for each group of such parameters.
 *
 * <p>None of them is strict. A type of the package that inherits one can be strict.
 */
final class BuiltInTypes {
    /** The type of all built-in parameters. */
    static final String NATIVE = "native";

    /**
     * The parameters of each group, without the name of the group. Those that end with a star are
     * groups of their own.
     */
    private static final Map<String, String> GROUPS =
            Map.of(
                    "model",
                    "queryString type defaultIndex locale language encoding sources restrict filter"
                            + " searchPath searchGroup",
                    "ranking",
                    "profile freshness sorting location statistics listFeatures queryCache"
                            + " rerankCount keepRankCount totalKeepRankCount rankScoreDropLimit"
                            + " features* properties* matching* matchPhase* secondPhase*"
                            + " globalPhase* softtimeout* significance* elementGap* diversity*",
                    "presentation",
                    "bolding timing summary summaryFields format template",
                    "select",
                    "where grouping fields",
                    "trace",
                    "level explainLevel profileDepth profile timestamps query profiling*");

    private static final Map<String, QueryProfileType> TYPES = types();

    private BuiltInTypes() {}

    private static Map<String, QueryProfileType> types() {
        var types = new LinkedHashMap<String, QueryProfileType>();
        types.put(NATIVE, new QueryProfileType(NATIVE, Set.of(), false, false, true, Map.of()));
        GROUPS.forEach((group, names) -> {
            var fields = new LinkedHashMap<String, QueryProfileType.Field>();
            for (String each : names.split(" ", -1)) {
                QueryProfileType.Field field = field(group, each);
                fields.put(field.name(), field);
            }
            types.put(group, new QueryProfileType(group, Set.of(), false, false, false, fields));
        });
        return Map.copyOf(types);
    }

    private static QueryProfileType.Field field(String group, String text) {
        boolean isGroup = text.endsWith("*");
        String name = isGroup ? text.substring(0, text.length() - 1) : text;
        ValueType type =
                isGroup
                        ? new ValueType.Profile(Optional.empty())
                        : NativeFields.type(group + "." + name).orElse(ValueType.Simple.STRING);
        return new QueryProfileType.Field(name, type, false, true, List.of());
    }

    /** Returns the built-in type with this name, if there is one. */
    static Optional<QueryProfileType> named(String name) {
        return Optional.ofNullable(TYPES.get(name));
    }

    /** Returns all built-in types by name. */
    static Map<String, QueryProfileType> all() {
        return TYPES;
    }
}
