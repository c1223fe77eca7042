package org.crabro.container.yql;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.crabro.protocol.query.TermSettings;

/**
 * The annotations that hold for an expression: its own, then those around it.
 *
 * <p>Each reader says of which type the value has to be. An annotation that nobody reads is
 * ignored, save those that would change the answer once they are built.
 */
final class Annotations {
    private static final Set<String> NOT_BUILT = Set.of("documentFrequency");

    private static final Set<String> READ =
            Set.of(
                    "allowEmpty",
                    "andSegmenting",
                    "approximate",
                    "bounds",
                    "defaultIndex",
                    "distance",
                    "distanceThreshold",
                    "elementFilter",
                    "endAnchor",
                    "exclusionDistance",
                    "filter",
                    "grammar",
                    "grammar.composite",
                    "grammar.syntax",
                    "label",
                    "maxEditDistance",
                    "prefix",
                    "prefixLength",
                    "ranked",
                    "scoreThreshold",
                    "startAnchor",
                    "substring",
                    "suffix",
                    "targetHits",
                    "targetNumHits",
                    "totalTargetHits",
                    "weight");

    private final Operands operands;

    /** By key, the innermost of each. */
    private final Map<String, Expression.Entry> entries;

    private Annotations(Operands operands, Map<String, Expression.Entry> entries) {
        this.operands = operands;
        this.entries = entries;
    }

    static Annotations none(Operands operands) {
        return new Annotations(operands, Map.of());
    }

    /**
     * Returns these with {@code inner} inside them.
     *
     * @throws YqlSyntaxException if one of them is not built yet
     */
    Annotations with(Expression.MapOf inner) {
        var both = new HashMap<>(entries);
        for (Expression.Entry entry : inner.entries()) {
            if (NOT_BUILT.contains(entry.key())) {
                throw operands.notBuilt(entry.offset(), "annotation '" + entry.key() + "'");
            }
            if (READ.contains(entry.key())) {
                both.put(entry.key(), entry);
            }
        }
        return new Annotations(operands, both);
    }

    /** Returns these without one of them. */
    Annotations without(String key) {
        var others = new HashMap<>(entries);
        others.remove(key);
        return new Annotations(operands, others);
    }

    Optional<Expression.Entry> find(String key) {
        assert READ.contains(key) : key;
        return Optional.ofNullable(entries.get(key));
    }

    boolean truth(String key, boolean otherwise) {
        return find(key)
                .map(entry -> operands.truth(entry.value(), "annotation '" + key + "'"))
                .orElse(otherwise);
    }

    String text(String key, String otherwise) {
        return find(key)
                .map(entry -> operands.text(entry.value(), "annotation '" + key + "'"))
                .orElse(otherwise);
    }

    int whole(String key, int otherwise) {
        return find(key)
                .map(entry -> operands.whole(entry.value(), "annotation '" + key + "'"))
                .orElse(otherwise);
    }

    OptionalDouble real(String key) {
        return find(key)
                .map(entry ->
                        OptionalDouble.of(operands.real(entry.value(), "annotation '" + key + "'")))
                .orElse(OptionalDouble.empty());
    }

    /**
     * Returns the settings of a leaf.
     *
     * @throws YqlSyntaxException if more than one kind of affix is asked for, or something that is
     *     not built yet
     */
    TermSettings termSettings() {
        return settings(affix());
    }

    /** Returns the settings of a leaf for which the annotations of affixes mean something else. */
    TermSettings unaffixed() {
        return settings(TermSettings.Affix.FIELD);
    }

    private TermSettings settings(TermSettings.Affix affix) {
        refuse("startAnchor");
        refuse("endAnchor");
        boolean ranked = truth("ranked", true) && !truth("filter", false);
        return new TermSettings(whole("weight", 100), ranked, affix);
    }

    private void refuse(String key) {
        find(key)
                .filter(entry -> truth(key, false))
                .ifPresent(entry -> {
                    throw operands.notBuilt(entry.offset(), "annotation '" + key + "'");
                });
    }

    private TermSettings.Affix affix() {
        var affix = TermSettings.Affix.FIELD;
        for (TermSettings.Affix each : TermSettings.Affix.values()) {
            String key = key(each);
            if (each != TermSettings.Affix.FIELD && truth(key, false)) {
                if (affix != TermSettings.Affix.FIELD) {
                    throw operands.error(
                            find(key).orElseThrow().offset(),
                            "only one of prefix, substring and suffix may be set");
                }
                affix = each;
            }
        }
        return affix;
    }

    private static String key(TermSettings.Affix affix) {
        return switch (affix) {
            case FIELD -> "";
            case PREFIX -> "prefix";
            case SUFFIX -> "suffix";
            case SUBSTRING -> "substring";
        };
    }
}
