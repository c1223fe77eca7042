package org.crabro.protocol.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.crabro.document.DocumentId;
import org.crabro.document.FieldValue;
import org.crabro.document.FieldValue.IntValue;
import org.crabro.document.FieldValue.StringValue;
import org.crabro.document.LocationKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HitOrderTest {
    @Test
    void putsTheMostRelevantFirstAndTiesById() {
        assertThat(sorted(List.of(), hit("b", 1), hit("c", 2), hit("a", 1), hit("d", -0.0)))
                .containsExactly("c", "a", "b", "d");
    }

    @Test
    void comparesIdsByTheirBytes() {
        // A surrogate pair is smaller as UTF-16 and larger as UTF-8.
        assertThat(sorted(List.of(), hit("\ud83d\ude00", 1), hit("\uff5e", 1)))
                .containsExactly("\uff5e", "\ud83d\ude00");
    }

    @Test
    void sortsAMissingValueAsTheSmallest() {
        var up = new SortKey.FieldValueOf("size", true);
        var down = new SortKey.FieldValueOf("size", false);
        SearchHit[] hits = {
            hit("a", 0, Optional.of(new IntValue(3))),
            hit("b", 0, Optional.empty()),
            hit("c", 0, Optional.of(new IntValue(-3)))
        };

        assertThat(sorted(List.of(up), hits)).containsExactly("b", "c", "a");
        assertThat(sorted(List.of(down), hits)).containsExactly("a", "c", "b");
    }

    @Test
    void putsMissingValuesWhereAKeySays() {
        SearchHit[] hits = {
            hit("d0", 0, Optional.of(new IntValue(2010))),
            hit("d1", 0, Optional.empty()),
            hit("d2", 0, Optional.of(new IntValue(2008))),
            hit("d3", 0, Optional.of(new IntValue(2020)))
        };
        var up = new SortKey.FieldValueOf("year", true);
        var down = new SortKey.FieldValueOf("year", false);

        assertThat(sorted(List.of(down), hits)).containsExactly("d3", "d0", "d2", "d1");
        assertThat(sorted(List.of(up), hits)).containsExactly("d1", "d2", "d0", "d3");
        assertThat(sorted(List.of(up.with(new SortKey.Missing.Last())), hits))
                .containsExactly("d2", "d0", "d3", "d1");
        assertThat(sorted(List.of(down.with(new SortKey.Missing.First())), hits))
                .containsExactly("d1", "d3", "d0", "d2");
    }

    @Test
    void comparesIdsAndCaseWhereAskedTo() {
        assertThat(sorted(List.of(new SortKey.DocumentIds(false)), hit("a", 1), hit("b", 0)))
                .containsExactly("b", "a");
        assertThat(
                        sorted(
                                List.of(
                                        new SortKey.FieldValueOf("name", true)
                                                .with(new TextOrder.Raw())
                                                .with(new SortKey.Missing.Last())),
                                hit("a", 1, Optional.of(new StringValue("a"))),
                                hit("b", 1, Optional.of(new StringValue("B")))))
                .containsExactly("b", "a");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    sv |           | a ä b z å | a b z å ä
                    de |           | a ä b z   | a ä b z
                    de | PRIMARY   | b Ä a B   | Ä a b B
                    de | SECONDARY | ä A a     | A a ä
                    en | TERTIARY  | B A b a   | a A b B
                    da | PRIMARY   | aa z b    | b z aa
                       |           | é f E     | é E f
                    """)
    void comparesStringsByTheRulesOfALanguage(
            String locale, TextOrder.Strength strength, String words, String expected) {
        SortKey key =
                new SortKey.FieldValueOf("name", true)
                        .with(
                                new TextOrder.Collated(
                                        Optional.ofNullable(locale),
                                        Optional.ofNullable(strength)));
        String[] given = words.split(" ", -1);
        var hits = new SearchHit[given.length];
        for (int i = 0; i < given.length; i++) {
            // Ties are sorted by id, which is the given order.
            hits[i] = hit(i + given[i], 0, Optional.of(new StringValue(given[i])));
        }

        assertThat(sorted(List.of(key), hits).stream().map(id -> id.substring(1)))
                .containsExactly(expected.split(" ", -1));
    }

    @Test
    void comparesStringsInLowerCaseThenTheNextKey() {
        List<SortKey> keys =
                List.of(new SortKey.FieldValueOf("name", true), new SortKey.Relevance(false));

        assertThat(
                        sorted(
                                keys,
                                hit("a", 1, Optional.of(new StringValue("Zoo"))),
                                hit("b", 1, Optional.of(new StringValue("ape"))),
                                hit("c", 2, Optional.of(new StringValue("APE")))))
                .containsExactly("c", "b", "a");
    }

    @Test
    void mergesPartsIntoOne() {
        var one = reply(List.of(hit("a", 3), hit("b", 1)), 7, new Coverage(10, 20, true), "w");
        var other = reply(List.of(hit("c", 2)), 1, new Coverage(5, 5, false), "w");

        SearchReply.Found merged = SearchReply.Found.merge(List.of(one, other), List.of(), 2);

        assertThat(merged.hits()).extracting(hit -> hit.id().user()).containsExactly("a", "c");
        assertThat(merged.totalCount()).isEqualTo(8);
        assertThat(merged.report().coverage()).isEqualTo(new Coverage(15, 25, true));
        assertThat(merged.report().cost()).isEqualTo(new QueryCost(2, 4, 20, 200, 0, 10));
        assertThat(merged.report().warnings()).containsExactly("w");
        assertThat(SearchReply.Found.merge(List.of(), List.of(), 2).totalCount()).isZero();
    }

    private static SearchReply.Found reply(
            List<SearchHit> hits, long totalCount, Coverage coverage, String warning) {
        return new SearchReply.Found(
                hits,
                totalCount,
                List.of(),
                new SearchReport(
                        coverage, new QueryCost(1, 2, 10, 100, 0, 5), List.of(warning), List.of()));
    }

    private static List<String> sorted(List<SortKey> keys, SearchHit... hits) {
        return List.of(hits).stream()
                .sorted(new HitOrder(keys))
                .map(hit -> hit.id().user())
                .toList();
    }

    private static SearchHit hit(String user, double relevance) {
        return hit(user, relevance, Optional.empty());
    }

    /** Returns a hit; its sort value, if any, is used for every key. */
    private static SearchHit hit(String user, double relevance, Optional<FieldValue> sortValue) {
        return new SearchHit(
                new DocumentId("t", "mail", new LocationKey.Plain(), user),
                relevance,
                List.of(sortValue, sortValue),
                Map.of(),
                Map.of());
    }
}
