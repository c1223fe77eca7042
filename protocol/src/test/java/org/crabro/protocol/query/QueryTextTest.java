package org.crabro.protocol.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QueryTextTest {
    private static final QueryNode BLUE = new QueryNode.Term("title", "blue", TermSettings.DEFAULT);

    @Test
    void writesTreesOnOneLine() {
        var year =
                new QueryNode.Range(
                        "year",
                        new RangeEnd.Whole(1999, false),
                        new RangeEnd.Real(2010.5, true),
                        TermSettings.DEFAULT);
        var all =
                new QueryNode.Range(
                        "year",
                        new RangeEnd.Unbounded(),
                        new RangeEnd.Unbounded(),
                        TermSettings.DEFAULT);
        var flag = new QueryNode.BooleanEquals("flag", true, TermSettings.DEFAULT);
        var tree =
                new QueryNode.Without(
                        new QueryNode.And(
                                List.of(new QueryNode.Rank(BLUE, List.of(flag)), year, all)),
                        List.of(
                                new QueryNode.Or(
                                        List.of(new QueryNode.All(), new QueryNode.None()))));

        assertThat(QueryText.of(tree))
                .isEqualTo(
                        "(without (and (rank title:blue (equals flag true)) (range year"
                                + " <1999;2010.5]) (range year [;])) (or true false))");
    }

    @Test
    void writesSettingsThatAreNotTheDefault() {
        var settings = new TermSettings(50, false, TermSettings.Affix.SUBSTRING);
        var tree =
                new QueryNode.WeakAnd(
                        List.of(
                                new QueryNode.Term("title", "lu", settings),
                                new QueryNode.Phrase("title", List.of("a", "b"), settings)));

        assertThat(QueryText.of(tree))
                .isEqualTo(
                        "(weakand {weight 50, unranked, substring}title:lu"
                                + " {weight 50, unranked, substring}(phrase title a b))");
    }

    @ParameterizedTest
    @CsvSource({
        "ALL,t:ab",
        "ANY,{any gram}t:ab",
        "WEAK_AND,{grams by weakAnd}t:ab",
        "PHRASE,{grams in a phrase}t:ab",
        "NEAR,{near grams}t:ab",
        "ORDERED_NEAR,{near grams in order}t:ab"
    })
    void writesTheMatchOfGrams(GramMatch match, String text) {
        var term = new QueryNode.Term("t", "ab", TermSettings.DEFAULT.with(match));

        assertThat(QueryText.of(term)).isEqualTo(text);
    }

    @Test
    void quotesWhatWouldBeReadOtherwise() {
        assertThat(QueryText.of(new QueryNode.Term("t", "a \"b\" \\", TermSettings.DEFAULT)))
                .isEqualTo("t:\"a \\\"b\\\" \\\\\"");
        assertThat(QueryText.of(new QueryNode.Term("t", "", TermSettings.DEFAULT)))
                .isEqualTo("t:\"\"");
    }

    @Test
    void writesNearestNeighbors() {
        assertThat(
                        QueryText.of(
                                new QueryNode.NearestNeighbor(
                                        "v",
                                        "q",
                                        10,
                                        OptionalDouble.of(0.5),
                                        TermSettings.DEFAULT.withWeight(50).labeled("near"))))
                .isEqualTo("{weight 50, label near}(nearest v q 10 within 0.5)");
    }
}
