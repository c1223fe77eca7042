package org.crabro.config.queryprofile;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The types of the built-in request parameters that are not plain texts. */
final class NativeFields {
    private static final Map<ValueType.Simple, List<String>> NAMES =
            Map.of(
                    ValueType.Simple.INTEGER,
                    List.of(
                            "hits",
                            "count",
                            "offset",
                            "start",
                            "maxHits",
                            "maxOffset",
                            "maxQueryItems",
                            "trace.level",
                            "tracelevel",
                            "trace.explainLevel",
                            "explainlevel",
                            "tracelevel.rules",
                            "collapsesize",
                            "ranking.rerankCount",
                            "ranking.secondPhase.rerankCount",
                            "ranking.secondPhase.totalRerankCount",
                            "ranking.globalPhase.rerankCount"),
                    ValueType.Simple.DOUBLE,
                    List.of(
                            "ranking.rankScoreDropLimit",
                            "ranking.secondPhase.rankScoreDropLimit",
                            "ranking.globalPhase.rankScoreDropLimit",
                            "ranking.softtimeout.factor"),
                    ValueType.Simple.BOOLEAN,
                    List.of(
                            "presentation.bolding",
                            "bolding",
                            "presentation.documentIds",
                            "presentation.timing",
                            "timing",
                            "ranking.listFeatures",
                            "rankfeatures",
                            "ranking.softtimeout.enable",
                            "rules.off",
                            "trace.timestamps",
                            "trace.query",
                            "trace.explain"));

    private static final Map<String, ValueType> TYPES = types();

    private NativeFields() {}

    private static Map<String, ValueType> types() {
        var types = new HashMap<String, ValueType>();
        NAMES.forEach((type, names) ->
                names.forEach(name -> types.put(name.toLowerCase(Locale.ROOT), type)));
        return types;
    }

    /** Returns the type of the built-in parameter {@code name}, ignoring case. */
    static Optional<ValueType> type(String name) {
        return Optional.ofNullable(TYPES.get(name.toLowerCase(Locale.ROOT)));
    }
}
