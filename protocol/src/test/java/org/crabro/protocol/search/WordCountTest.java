package org.crabro.protocol.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class WordCountTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);

    @Test
    void addsDocumentsOfDisjointParts() {
        var one =
                new WordCount(1, List.of(new NearWord("house", 1, 3), new NearWord("hoses", 2, 1)));
        var other =
                new WordCount(1, List.of(new NearWord("mouse", 1, 1), new NearWord("house", 1, 4)));

        assertThat(one.plus(other))
                .isEqualTo(
                        new WordCount(
                                2,
                                List.of(
                                        new NearWord("house", 1, 7),
                                        new NearWord("mouse", 1, 1),
                                        new NearWord("hoses", 2, 1))));
        assertThat(one.plus(other)).isEqualTo(other.plus(one));
        assertThat(one.plus(new WordCount(2, List.of()))).isEqualTo(new WordCount(3, one.near()));
    }

    /** Each part has the nearest of its words only. Those of all parts are the nearest of all. */
    @Test
    void hasTheSameWordsHoweverDocumentsAreDivided() {
        var random = new Random(SEED);
        Map<String, Integer> edits = new TreeMap<>();
        while (edits.size() < 2 * WordCount.NEAR_MAX) {
            edits.put(Integer.toString(random.nextInt(1_000_000), 36), 1 + random.nextInt(2));
        }
        Map<String, Long> documents = new TreeMap<>();
        var parts = new ArrayList<Map<String, Long>>();
        for (int i = 0; i < 5; i++) {
            parts.add(new TreeMap<>());
        }
        for (String word : edits.keySet()) {
            for (Map<String, Long> part : parts) {
                long count = random.nextInt(3);
                if (count > 0) {
                    part.put(word, count);
                    documents.merge(word, count, Long::sum);
                }
            }
        }

        WordCount sum = new WordCount(0, List.of());
        for (Map<String, Long> part : parts) {
            sum = sum.plus(new WordCount(0, nearest(part, edits)));
        }

        assertThat(sum.near()).as("seed %d", SEED).isEqualTo(nearest(documents, edits));
    }

    private static List<NearWord> nearest(Map<String, Long> documents, Map<String, Integer> edits) {
        return documents.entrySet().stream()
                .map(each ->
                        new NearWord(
                                each.getKey(),
                                Objects.requireNonNull(edits.get(each.getKey())),
                                each.getValue()))
                .sorted(NearWord.NEAREST_FIRST)
                .limit(WordCount.NEAR_MAX)
                .toList();
    }

    @Test
    void reportsOfOneRequestHaveTheSameWords() {
        SearchReport one = SearchReport.NONE.withWords(List.of(new WordCount(1, List.of())));
        SearchReport two =
                SearchReport.NONE.withWords(
                        List.of(new WordCount(1, List.of()), new WordCount(1, List.of())));

        assertThat(one.plus(one).words()).containsExactly(new WordCount(2, List.of()));
        assertThat(one.plus(SearchReport.NONE).words()).isEqualTo(one.words());
        assertThatThrownBy(() -> one.plus(two)).isInstanceOf(IllegalArgumentException.class);
    }
}
