package org.crabro.content.search.rank;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.crabro.config.schema.RankProfile;
import org.crabro.content.search.match.Matcher;
import org.crabro.protocol.query.TermHints;
import org.crabro.protocol.query.TermSettings;
import org.crabro.ranking.type.RankFeature;
import org.crabro.tensor.CellType;

/** Creates the sources of bm25 features of one query: of a field, by label, and by element. */
final class Bm25Sources {
    private final RankProfile profile;
    private final Matcher matcher;

    Bm25Sources(RankProfile profile, Matcher matcher) {
        this.profile = profile;
        this.matcher = matcher;
    }

    /**
     * Returns the source of {@code bm25(field)}.
     *
     * @param label only terms with this label count; empty for all terms
     * @param statistics by field, if they were counted
     */
    FeatureSource of(String field, String label, Map<String, TextStatistics> statistics) {
        Optional<SearchedText> searched = SearchedText.of(field, matcher);
        if (searched.isEmpty() || profile.field(field).filter().orElse(false)) {
            return new FeatureSource.Constant(0);
        }
        SearchedText text = searched.get();
        int terms = text.termCount();
        List<TermSettings> said = matcher.termSettings();
        int[] termOf = matcher.patternTerms(field);
        TextStatistics ofField = statistics.getOrDefault(field, TextStatistics.constant(terms));
        String prefix = "bm25(" + field + ").";
        var inverse = new double[terms];
        for (int i = 0; i < terms; i++) {
            TermHints hints = said.get(termOf[i]).hints();
            boolean counts = label.isEmpty() || hints.label().equals(label);
            inverse[i] = counts ? inverseFrequency(hints, ofField, i) : 0;
        }
        return new FeatureSource.Bm25(
                text,
                inverse,
                property(prefix + "k1", 1.2),
                property(prefix + "b", 0.75),
                property(prefix + "averageFieldLength", ofField.averageLength()));
    }

    /** Returns a tensor with a cell for each label of a term that searches the field. */
    FeatureSource byLabel(
            RankFeature.Bm25ByLabel feature,
            Map<String, TextStatistics> statistics,
            RankedTerms terms) {
        List<String> labels =
                IntStream.of(terms.searching(feature.field()))
                        .mapToObj(terms::label)
                        .filter(label -> !label.isEmpty())
                        .distinct()
                        .sorted()
                        .toList();
        return new LabelledTexts(
                feature.type(),
                labels,
                labels.stream().map(label -> of(feature.field(), label, statistics)).toList());
    }

    /** Returns a tensor with a cell for each element of the field. */
    FeatureSource byElement(
            RankFeature.Bm25ByElement feature,
            Map<String, TextStatistics> statistics,
            RankedTerms terms) {
        String field = feature.field();
        String whole =
                "elementwise(bm25(%s),%s%s)."
                        .formatted(
                                field,
                                feature.dimension(),
                                feature.cells() == CellType.DOUBLE
                                        ? ""
                                        : "," + feature.cells().name().toLowerCase(Locale.ROOT));
        String plain = "bm25(" + field + ").";
        int[] termOf = matcher.patternTerms(field);
        TextStatistics ofField =
                statistics.getOrDefault(field, TextStatistics.constant(termOf.length));
        var inverse = new Double[terms.count()];
        Arrays.fill(inverse, 0.0);
        for (int i = termOf.length - 1; i >= 0; i--) {
            TermHints hints = matcher.termSettings().get(termOf[i]).hints();
            inverse[termOf[i]] = inverseFrequency(hints, ofField, i);
        }
        double length =
                property(
                        plain + "averageElementLength",
                        property(plain + "averageFieldLength", ofField.averageElementLength()));
        var texts =
                new ElementTexts(
                        field,
                        feature.type(),
                        List.of(inverse),
                        property(whole + "k1", property(plain + "k1", 1.2)),
                        property(whole + "b", property(plain + "b", 0.75)),
                        property(whole + "averageElementLength", length));
        return new FeatureSource.OfRowTensor(texts, terms);
    }

    /** A frequency or significance from the query has precedence over the counted statistics. */
    private static double inverseFrequency(TermHints hints, TextStatistics ofField, int term) {
        double inverse =
                hints.statistics().frequency().isPresent()
                        ? hints.statistics().frequency().get().inverse()
                        : hints.statistics()
                                .significance()
                                .orElseGet(() -> ofField.inverseFrequency(term));
        return hints.words().spelling().exactness() * inverse;
    }

    private double property(String name, double otherwise) {
        return Properties.number(profile, name, otherwise);
    }
}
