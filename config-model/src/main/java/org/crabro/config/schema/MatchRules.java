package org.crabro.config.schema;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.crabro.text.SpecialTokens;

/**
 * How queries match the texts of a field.
 *
 * @param mode how the field is matched
 * @param parts the parts of the field that are searched, by path
 * @param readings how words of queries are read, by path, with an empty path for the field itself;
 *     only those that are not normal
 */
public record MatchRules(
        MatchMode mode, Map<String, PartRules> parts, Map<String, WordReading> readings) {
    /**
     * A part of a field that is searched.
     *
     * @param mode how its texts are matched
     * @param aspects the aspects that its script writes
     * @param ranking its scoring settings, which a rank profile can override
     */
    public record PartRules(MatchMode mode, Set<Aspect> aspects, FieldRanking ranking) {
        public PartRules {
            aspects = Set.copyOf(aspects);
        }
    }

    public MatchRules {
        parts = Map.copyOf(parts);
        readings = Map.copyOf(readings);
    }

    /** Rules of a field without parts, with normal reading of words. */
    public MatchRules(MatchMode mode) {
        this(mode, Map.of(), Map.of());
    }

    /** Returns how texts in a part of the field are matched, by its path. */
    public MatchMode of(String path) {
        PartRules part = parts.get(path);
        return part == null ? mode : part.mode();
    }

    /** Returns the aspects of a part that has a script or settings of its own, by its path. */
    public Optional<Set<Aspect>> aspects(String path) {
        return Optional.ofNullable(parts.get(path)).map(PartRules::aspects);
    }

    /** Returns the scoring settings of a part, by its path. */
    public FieldRanking ranking(String path) {
        PartRules part = parts.get(path);
        return part == null ? FieldRanking.NONE : part.ranking();
    }

    /** Returns how words are read for a part of the field, by its path; empty for the field. */
    public WordReading reading(String path) {
        return readings.getOrDefault(parts.containsKey(path) ? path : "", WordReading.NORMAL);
    }

    /** Returns these rules with others for the words of texts. */
    MatchRules with(boolean normalized, SpecialTokens special) {
        var changed = new HashMap<String, PartRules>();
        parts.forEach((path, part) ->
                changed.put(
                        path,
                        new PartRules(
                                part.mode().with(normalized, special),
                                part.aspects(),
                                part.ranking())));
        return new MatchRules(mode.with(normalized, special), changed, readings);
    }
}
