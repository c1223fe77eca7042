package org.crabro.config.validation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.crabro.config.schema.Aspect;
import org.crabro.config.schema.IndexingScript;
import org.crabro.config.schema.MatchMode;
import org.crabro.config.schema.SchemaField;
import org.crabro.document.Field;
import org.crabro.document.FieldType.Primitive;
import org.crabro.ranking.expression.ExpansionBudget;
import org.crabro.ranking.expression.ExpressionParser;
import org.crabro.ranking.expression.ExpressionText;
import org.crabro.ranking.expression.ProfileFunctions;
import org.crabro.ranking.kernel.DistanceMetric;
import org.crabro.ranking.type.ExpressionTypeException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ForeachFeatureTest {
    private final Map<String, SchemaField> fields = new LinkedHashMap<>();

    ForeachFeatureTest() {
        fields.put("title", field("title", Primitive.STRING, MatchMode.TEXT, Aspect.INDEX));
        fields.put("body", field("body", Primitive.STRING, MatchMode.TEXT, Aspect.INDEX));
        fields.put("year", field("year", Primitive.INT, MatchMode.WORD, Aspect.ATTRIBUTE));
    }

    private static SchemaField field(String name, Primitive type, MatchMode match, Aspect aspect) {
        return new SchemaField(
                new Field(name, type, true),
                Set.of(aspect),
                match,
                DistanceMetric.EUCLIDEAN,
                new IndexingScript(List.of()));
    }

    private String written(String text) {
        var functions =
                new ProfileFunctions(
                        Map.of(
                                "doubled",
                                        new ProfileFunctions.Function(
                                                List.of("n"),
                                                ExpressionParser.parse("term(n).weight * 2")),
                                "endless",
                                        new ProfileFunctions.Function(
                                                List.of(),
                                                ExpressionParser.parse(
                                                        "foreach(terms, N, endless, true, sum)"))),
                        new ExpansionBudget(ExpansionBudget.DEFAULT));
        var foreach =
                new ForeachFeature(fields, Map.of("foreach.maxTerms", "2"), functions::expand);
        return ExpressionText.of(ExpressionParser.parse(text).replacing(foreach::written));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "foreach(terms, N, term(N).weight, true, sum)"
                        + " | term(0).weight + term(1).weight",
                "foreach(fields, F, bm25(F), \">0.5\", product)"
                        + " | if(bm25(title) > 0.5, bm25(title), 1) * if(bm25(body) > 0.5, bm25(body), 1)",
                "foreach(attributes, A, attribute(A), \"<3\", count)"
                        + " | if(attribute(year) < 3, 1, 0)",
                "foreach(attributes, A, \"attribute(A)\", true, max)"
                        + " | max(-1.7976931348623157E308, attribute(year))",
                "foreach(attributes, A, attribute(A), true, min)"
                        + " | min(1.7976931348623157E308, attribute(year))",
                "foreach(attributes, A, attribute(A), true, average)"
                        + " | if(if(1, 1, 0) > 0, attribute(year) / if(1, 1, 0), 0)",
                "1 + bm25(title) | 1 + bm25(title)",
                "foreach(fields, F, 1 + bm25(F), true, sum)"
                        + " | 1 + bm25(title) + (1 + bm25(body))",
                "foreach(terms, N, rankingExpression(\"term(N).weight / 2\"), true, sum)"
                        + " | term(0).weight / 2 + term(1).weight / 2",
                "foreach(terms, N, doubled(N), true, sum)"
                        + " | term(0).weight * 2 + term(1).weight * 2",
                "foreach(terms, N, foreach(attributes, A, fieldTermMatch(A,N).weight, true, sum), true, max)"
                        + " | max(max(-1.7976931348623157E308, fieldTermMatch(year,0).weight), fieldTermMatch(year,1).weight)",
                "foreach(terms, N, rankingExpression(\"2 * foreach(attributes,A,fieldTermMatch(A,N).weight,true,sum)\"), true, sum)"
                        + " | 2 * fieldTermMatch(year,0).weight + 2 * fieldTermMatch(year,1).weight",
            })
    void foreachTakesAnyFeatureAndIsExpandedUntilNothingIsLeft(String text, String whole) {
        assertThat(written(text)).isEqualTo(whole);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "foreach(terms, N, term(N).weight, true) | takes a dimension, a variable",
                "foreach(words, N, term(N).weight, true, sum) | not 'words'",
                "foreach(terms, N, term(N).weight, true, median) | 'median' is no operation",
                "foreach(terms, N, term(N).weight, \"=1\", sum) | '=1' is no condition",
                "foreach(terms, N, term(N).weight, \">one\", sum) | '>one' is no condition",
                "foreach(terms, N, endless, true, sum) | 'foreach' nests deeper than 8",
                "foreach(terms, N, \"term(N\", true, sum) | 'term(0' in 'foreach'",
            })
    void rejectsWhatDoesNotFit(String text, String problem) {
        assertThatExceptionOfType(ExpressionTypeException.class)
                .isThrownBy(() -> written(text))
                .withMessageContaining(problem);
    }
}
