package org.crabro.ranking.type;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import java.util.Set;
import org.crabro.ranking.expression.ExpressionParser;
import org.crabro.tensor.CellType;
import org.crabro.tensor.Dimension;
import org.crabro.tensor.TensorType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TypeCheckTest {
    private static final TensorType VECTOR =
            new TensorType(CellType.FLOAT, List.of(new Dimension.Indexed("x", 4)));

    private final TypeCheck check = new TypeCheck(TypeCheckTest::type);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1 + 2",
                "bm25(title) * 2 + closeness(field, embedding)",
                "if(attribute(year) > 2000, now, age(year))",
                "freshness(year).logscale + freshness(year) + queryTermCount",
                "distance(label, \"nearest\") + closeness(embedding)",
                "great_circle_distance(home) + great_circle_distance(field, home)",
                "great_circle_distance(home).km + great_circle_distance(field, home).km",
                "great_circle_distance(home).latitude + great_circle_distance(field, home).longitude",
                "matches(title) + query(weight)",
                "attribute(year) in [1, 2]",
                "attribute(year, 3).weight + attribute(year).count",
                "fieldMatch(title) + fieldMatch(title).proximity + textSimilarity(title).order",
                "nativeRank + nativeRank(title, year) + nativeProximity(title)",
                "term(0).significance + matches(title, 2) + fieldTermMatch(title, 1).occurrences",
                "termDistance(title, 0, 1).reverseTermPosition + random(a).match + value(3.5) + value(-2) + value(-0.5)",
                "dotProduct(title, weights) + sum(tensorFromLabels(attribute(title), x))",
                "bm25(field: title, label: words) + bm25(title, label: \"words\")",
            })
    void acceptsNumbers(String text) {
        check.requireScalar(ExpressionParser.parse(text));
    }

    @Test
    void knowsVectors() {
        assertThat(check.type(ExpressionParser.parse("attribute(embedding)"))).isEqualTo(VECTOR);
        rejects(
                "attribute(embedding)",
                "1:1: 'attribute(embedding)' is a " + VECTOR + ", but a number is expected");
        rejects(
                "1 + attribute(embedding)",
                "1:5: '1 + attribute(embedding)' is a " + VECTOR + ", but a number is expected");
        rejects(
                "\n reduce(attribute(embedding), sum, y)",
                "2:9: 'reduce(attribute(embedding), sum, y)' cannot be: "
                        + VECTOR
                        + " has no dimension 'y'");
    }

    @Test
    void pointsAtWhatIsUnknownAndSuggests() {
        rejects(
                "1 +\n bm26(title)",
                """
                2:2: there is no feature or function 'bm26(title)'; did you mean 'bm25'?
                   bm26(title)
                   ^\
                """);
        rejects(
                "bm25(titel)",
                "1:1: 'bm25(titel)' names the field 'titel', which does not exist;"
                        + " did you mean 'title'?");
        rejects("wholly(different)", "no feature or function 'wholly(different)'\n");
        rejects("bm25(year)", "1:1: 'bm25(year)' cannot be: field 'year' is no text");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "bm25 ; expected bm25(field)",
                "bm25(a, b) ; expected bm25(field)",
                "bm25(title).k1 ; expected bm25(field)",
                "now(1) ; expected now",
                "freshness(year).other ; expected freshness(field) or freshness(field).logscale",
                "freshness(year, year).logscale ; expected freshness(field)",
                "closeness(fields, embedding) ; expected closeness(field, f)",
                "closeness(1) ; expected closeness(field, f)",
                "attribute(title, 1, 2) ; expected attribute(field) or attribute(field, key)",
                "attribute(title).length ; expected attribute(field) or attribute(field, key)",
                "fieldMatch ; expected fieldMatch(field) or one of its outputs: score, comp",
                "fieldMatch(title).sum ; expected fieldMatch(field) or one of its outputs",
                "fieldLength(title).all ; expected fieldLength(field)",
                "matches(title, first) ; expected matches(field) or matches(field, term)",
                "fieldTermMatch(title) ; expected fieldTermMatch(field, term) and an output",
                "fieldTermMatch(title, 0).matches ; expected fieldTermMatch(field, term)",
                "term(-1).weight ; expected term(number) and an output",
                "term(1.5).weight ; expected term(number) and an output",
                "nativeRank.weight ; expected nativeRank or nativeRank(field, …)",
                "nativeRank(1 + 1) ; expected nativeRank or nativeRank(field, …)",
                "termDistance(title, 0) ; expected termDistance(field, term, term)",
                "bm25(title, label) ; expected bm25(field) or bm25(field, label: name)",
            })
    void saysWhichFormsAFeatureHas(String text, String expected) {
        rejects(text, expected);
    }

    private void rejects(String text, String message) {
        assertThatExceptionOfType(ExpressionTypeException.class)
                .isThrownBy(() -> check.requireScalar(ExpressionParser.parse(text)))
                .withMessageContaining(message);
    }

    private static FeatureTypes.Answer type(RankFeature feature) {
        return switch (feature) {
            case RankFeature.Attribute(var field) when field.equals("embedding") ->
                    new FeatureTypes.Answer.Typed(VECTOR);
            case RankFeature.Bm25(var field, _) when field.equals("year") ->
                    new FeatureTypes.Answer.Unfit("field 'year' is no text");
            case RankFeature.Bm25(var field, _) when !field.equals("title") ->
                    new FeatureTypes.Answer.Unknown("field", field, Set.of("title", "embedding"));
            default -> new FeatureTypes.Answer.Typed(TensorType.SCALAR);
        };
    }
}
