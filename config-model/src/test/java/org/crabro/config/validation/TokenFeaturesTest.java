package org.crabro.config.validation;

import static org.assertj.core.api.Assertions.assertThat;

import org.crabro.ranking.expression.Expression;
import org.crabro.ranking.expression.Expression.Feature;
import org.crabro.ranking.expression.ExpressionParser;
import org.crabro.ranking.program.FeatureValues;
import org.crabro.ranking.program.RankProgram;
import org.crabro.tensor.TensorType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Inputs of language models for the texts A, with tokens 11 12 13, and B, with tokens 21 22. */
class TokenFeaturesTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "tokenInputIds(9, A)              | 101 11 12 13 102 0 0 0 0",
                "tokenInputIds(9, A, B)           | 101 11 12 13 102 21 22 102 0",
                "tokenInputIds(11, A, B, A)       | 101 11 12 13 102 21 22 102 11 12 13",
                "tokenInputIds(3, A)              | 101 11 12",
                "tokenInputIds(4, NONE)           | 101 102 0 0",
                "tokenInputIds(6, NONE, B)        | 101 102 21 22 102 0",
                "customTokenInputIds(7, 8, 9, A, B) | 7 11 12 13 8 21 22 8 0",
                "tokenTypeIds(9, A, B)            | 0 0 0 0 0 1 1 1 0",
                "tokenTypeIds(11, A, B, B)        | 0 0 0 0 0 1 1 1 1 1 1",
                "tokenTypeIds(7, A)               | 0 0 0 0 0 0 0",
                "tokenAttentionMask(9, A, B)      | 1 1 1 1 1 1 1 1 0",
                "tokenAttentionMask(7, A)         | 1 1 1 1 1 0 0",
                "tokenAttentionMask(4, NONE)      | 1 1 0 0",
            })
    void areMadeOfTokens(String text, String cells) {
        var feature =
                (Feature)
                        ExpressionParser.parse(
                                text.replaceAll("\\bA\\b", "tensor(d0[5]):[11,12,13,0,0]")
                                        .replaceAll("\\bB\\b", "tensor(d0[2]):[21,22]")
                                        .replaceAll("\\bNONE\\b", "tensor(d0[2]):[0,0]"));
        Expression written = TokenFeatures.written(feature, each -> each);
        RankProgram program = RankProgram.compile(written, _ -> TensorType.SCALAR);
        FeatureValues none = (_, _, _) -> {};

        String value = program.evaluation(1).tensor(none).toString();

        String[] expected = cells.split(" ", -1);
        assertThat(value)
                .isEqualTo(
                        "tensor(d0[1],d1[%d]):[[%s.0]]"
                                .formatted(expected.length, String.join(".0, ", expected)));
    }
}
