package org.crabro.content.search.rank;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Predicate;
import org.crabro.config.schema.FieldRanking;
import org.crabro.config.schema.RankProfile;
import org.crabro.config.schema.Schema;
import org.crabro.config.schema.SchemaField;
import org.crabro.content.search.match.Matcher;
import org.crabro.content.search.match.NearestSearch;
import org.crabro.content.search.match.TermCondition;
import org.crabro.protocol.query.TermHints;
import org.crabro.protocol.query.TermSettings;
import org.crabro.protocol.search.RankOverrides;

/**
 * The ranked terms of a query as features see them: their settings in the query, their
 * significances, and the fields that they search. Immutable; threads share it.
 */
final class RankedTerms {
    /** The default connectedness of two terms. */
    static final double CONNECTEDNESS = 0.1;

    private final Schema schema;
    private final Map<String, Integer> elementGaps;
    private final RankProfile profile;
    private final List<TermSettings> settings;
    private final List<List<TermCondition>> conditions = new ArrayList<>();
    private final List<NearestSearch> nearest;
    private final double[] significances;
    private final double[] connectedness;

    /**
     * @param elementGaps by field, the number of words added to the distance between words of
     *     consecutive elements
     * @param statistics by field, if they were counted
     */
    RankedTerms(
            Schema schema,
            RankProfile profile,
            Map<String, Integer> elementGaps,
            Matcher matcher,
            Map<String, TextStatistics> statistics) {
        this.schema = schema;
        this.elementGaps = elementGaps;
        this.profile = profile;
        this.settings = matcher.termSettings();
        this.nearest = matcher.nearest();
        for (int term = 0; term < settings.size(); term++) {
            conditions.add(matcher.conditions(term));
        }
        this.significances = new double[settings.size()];
        this.connectedness = new double[settings.size()];
        var counted = new HashMap<String, int[]>();
        statistics.keySet().forEach(field -> counted.put(field, counted(field, matcher)));
        for (int term = 0; term < settings.size(); term++) {
            significances[term] =
                    settings.get(term).spelling().exactness()
                            * significance(term, matcher, statistics, counted);
            connectedness[term] = term == 0 ? CONNECTEDNESS : connectedness(term, term - 1);
        }
    }

    /** Returns the term of each count of a field. */
    private static int[] counted(String field, Matcher matcher) {
        int[] inTexts = matcher.patternTerms(field);
        return inTexts.length > 0 ? inTexts : SearchedKeys.of(field, matcher).terms();
    }

    /** A significance from the query has precedence over the counted statistics. */
    private double significance(
            int term,
            Matcher matcher,
            Map<String, TextStatistics> statistics,
            Map<String, int[]> counted) {
        TermHints hints = settings.get(term).hints();
        if (hints.statistics().frequency().isPresent()) {
            TermHints.Frequency said = hints.statistics().frequency().get();
            return Significance.of(said.documents(), said.total());
        }
        OptionalDouble said = hints.statistics().significance();
        if (said.isPresent()) {
            return said.getAsDouble();
        }
        long frequency = 0;
        long total = 1;
        if (statistics.isEmpty()) {
            return Significance.of(frequency, total);
        }
        for (String field : new LinkedHashSet<>(matcher.termFields(term))) {
            TextStatistics ofField = statistics.get(field);
            int[] terms = counted.get(field);
            if (ofField != null && terms != null) {
                for (int i = 0; i < terms.length; i++) {
                    if (terms[i] == term) {
                        frequency = Math.max(frequency, ofField.documentsByTerm().get(i));
                        total = Math.max(total, ofField.documents());
                    }
                }
            }
        }
        return Significance.of(frequency, total);
    }

    /**
     * Returns the connectedness of a term with an earlier one. Either of the two may specify it.
     *
     * @param previous the previous term, in the query or among the terms of a field
     */
    double connectedness(int term, int previous) {
        TermHints here = settings.get(term).hints();
        TermHints before = settings.get(previous).hints();
        if (here.link().connectivity().isPresent()
                && before.link().id() != 0
                && here.link().connectivity().get().id() == before.link().id()) {
            return here.link().connectivity().get().weight();
        }
        return before.link().connectivity().isPresent()
                        && here.link().id() != 0
                        && before.link().connectivity().get().id() == here.link().id()
                ? before.link().connectivity().get().weight()
                : CONNECTEDNESS;
    }

    int count() {
        return settings.size();
    }

    /** Returns the weight of a term in percent. */
    int weight(int term) {
        return settings.get(term).weight();
    }

    double significance(int term) {
        return significances[term];
    }

    /** Returns the connectedness of a term with the previous one in the query. */
    double connectedness(int term) {
        return connectedness[term];
    }

    String label(int term) {
        return settings.get(term).hints().label();
    }

    /** Returns the conditions of a term, one for each field that it searches. */
    List<TermCondition> conditions(int term) {
        return conditions.get(term);
    }

    /** Returns the conditions of a term in one field; empty if it does not search the field. */
    List<TermCondition> conditions(int term, String field) {
        return conditions.get(term).stream()
                .filter(condition -> condition.field().equals(field))
                .toList();
    }

    NearestSearch nearest(int search) {
        return nearest.get(search);
    }

    /** Returns the terms that search a field, in the order of the query. */
    int[] searching(String field) {
        return searching(condition -> condition.field().equals(field));
    }

    private int[] searching(Predicate<TermCondition> wanted) {
        var terms = new int[count()];
        int count = 0;
        for (int term = 0; term < terms.length; term++) {
            if (isAny(conditions.get(term), wanted)) {
                terms[count++] = term;
            }
        }
        return Arrays.copyOf(terms, count);
    }

    private static boolean isAny(List<TermCondition> conditions, Predicate<TermCondition> wanted) {
        for (TermCondition condition : conditions) {
            if (wanted.test(condition)) {
                return true;
            }
        }
        return false;
    }

    /** Returns the terms that search an attribute. */
    int[] searchingAttributes() {
        return searching(condition -> !isIndexed(condition.field()));
    }

    /** Returns the fields that terms search, in the order of first use. */
    Set<String> fields() {
        var fields = new LinkedHashSet<String>();
        conditions.forEach(ofTerm -> ofTerm.forEach(condition -> fields.add(condition.field())));
        return fields;
    }

    /**
     * Returns whether words of a field have positions, which is the case for a text with an index.
     */
    boolean isIndexed(String field) {
        return schema.fieldOrPart(field).filter(SchemaField::isIndexedText).isPresent();
    }

    /**
     * Returns the number of words added to the distance between words of consecutive elements;
     * empty if such words are never near each other. A part without a number has that of its field.
     */
    OptionalInt elementGap(String field) {
        if (elementGaps.isEmpty()) {
            return OptionalInt.empty();
        }
        Optional<String> whole = schema.part(field).map(part -> part.whole().name());
        int ofField = elementGaps.getOrDefault(whole.orElse(field), RankOverrides.NO_NEARNESS);
        int gap = elementGaps.getOrDefault(field, ofField);
        return gap == RankOverrides.NO_NEARNESS ? OptionalInt.empty() : OptionalInt.of(gap);
    }

    /** Returns the rank settings of a field. */
    FieldRanking ranking(String field) {
        return profile.field(field);
    }

    /** Returns a numeric property of the profile, or {@code otherwise} if it is not set. */
    double property(String name, double otherwise) {
        return Properties.number(profile, name, otherwise);
    }

    RankProfile profile() {
        return profile;
    }
}
