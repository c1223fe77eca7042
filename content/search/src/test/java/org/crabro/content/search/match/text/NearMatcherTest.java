package org.crabro.content.search.match.text;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.crabro.config.schema.MatchMode;
import org.crabro.config.schema.MatchMode.Affix;
import org.crabro.content.storage.file.WorkMeter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearMatcherTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);

    /** Elements are separated by slashes, items by commas, words of an item by blanks. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    a x / b     | a,b   | 2 | 0 | false | true
                    a x / b     | a,b   | 1 | 0 | false | false
                    a x / b     | a,b   | 2 | 1 | false | false
                    a x / b     | a,b   | 3 | 1 | false | true
                    b x / a     | a,b   | 2 | 0 | true  | false
                    b x / a     | b,a   | 2 | 0 | true  | true
                    a / x / b   | a,b   | 2 | 0 | false | true
                    a / x / b   | a,b   | 3 | 1 | false | false
                    a / x / b   | a,b   | 4 | 1 | false | true
                    a /  / b    | a,b   | 1 | 0 | false | true
                    a / b c     | a b,c | 5 | 0 | false | false
                    a b / c     | a b,c | 2 | 0 | false | true
                    a b c       | a b,c | 2 | 7 | false | true
                    """)
    void looksOverTheBoundsOfElements(
            String elements, String items, int distance, int gap, boolean ordered, boolean isNear) {
        assertThat(
                        isFound(
                                List.of(elements.split("/", -1)),
                                words(items),
                                List.of(),
                                distance,
                                gap,
                                ordered))
                .isEqualTo(isNear);
    }

    @Test
    void findsWhatTryingEveryPlaceFinds() {
        var random = new Random(SEED);
        int both = 0;
        for (int round = 0; round < 5_000; round++) {
            List<String> elements = new ArrayList<>();
            for (int i = random.nextInt(5); i >= 0; i--) {
                var element = new StringBuilder();
                for (int j = random.nextInt(5); j > 0; j--) {
                    element.append((char) ('a' + random.nextInt(5))).append(' ');
                }
                elements.add(element.toString());
            }
            List<List<String>> items = new ArrayList<>();
            for (int i = random.nextInt(3); i >= 0; i--) {
                items.add(phrase(random));
            }
            List<List<String>> exclude =
                    random.nextInt(3) == 0 ? List.of(phrase(random)) : List.of();
            int distance = random.nextInt(6);
            int gap = random.nextInt(4);
            boolean ordered = random.nextBoolean();
            boolean expected = naive(elements, items, exclude, distance, gap, ordered);
            both += expected ? 1 : 0;

            assertThat(isFound(elements, items, exclude, distance, gap, ordered))
                    .as(
                            "%s: %s without %s, distance %d, gap %d, %s, seed %d",
                            elements, items, exclude, distance, gap, ordered, SEED)
                    .isEqualTo(expected);
        }
        assertThat(both).isBetween(500, 4_500);
    }

    private static List<String> phrase(Random random) {
        var words = new ArrayList<String>();
        for (int i = random.nextInt(4) / 3; i >= 0; i--) {
            words.add(String.valueOf((char) ('a' + random.nextInt(5))));
        }
        return words;
    }

    private static List<List<String>> words(String items) {
        return Arrays.stream(items.split(",", -1)).map(item -> List.of(item.split(" "))).toList();
    }

    private static boolean isFound(
            List<String> elements,
            List<List<String>> items,
            List<List<String>> exclude,
            int distance,
            int gap,
            boolean ordered) {
        var probe =
                new NearMatcher(
                        new TextPredicate.OfNear(
                                MatchMode.TEXT,
                                items.stream().map(NearMatcherTest::item).toList(),
                                exclude.stream().map(NearMatcherTest::item).toList(),
                                distance,
                                exclusion(distance),
                                ordered),
                        new WorkMeter());
        probe.begin();
        for (String element : elements) {
            byte[] utf8 = element.getBytes(UTF_8);
            probe.add(MemorySegment.ofArray(utf8), 0, utf8.length, gap);
        }
        return probe.isFound();
    }

    private static int exclusion(int distance) {
        return (distance + 1) / 2;
    }

    private static TextPredicate.NearItem item(List<String> words) {
        return new TextPredicate.NearItem(
                List.of(
                        words.stream()
                                .map(word -> new TextPattern.Word(word, Affix.WHOLE))
                                .toList()));
    }

    /** Combines every position of every item with every position of the others. */
    private static boolean naive(
            List<String> elements,
            List<List<String>> items,
            List<List<String>> exclude,
            int distance,
            int gap,
            boolean ordered) {
        List<List<Integer>> places = new ArrayList<>();
        for (List<String> item : items) {
            places.add(places(elements, item, gap));
        }
        List<Integer> out =
                exclude.stream().flatMap(item -> places(elements, item, gap).stream()).toList();
        return tried(places, new ArrayList<>(), out, distance, ordered);
    }

    private static boolean tried(
            List<List<Integer>> places,
            List<Integer> chosen,
            List<Integer> out,
            int distance,
            boolean ordered) {
        if (chosen.size() == places.size()) {
            int low = chosen.stream().mapToInt(place -> place).min().orElseThrow();
            int high = chosen.stream().mapToInt(place -> place).max().orElseThrow();
            int around = exclusion(distance);
            return high - low <= distance
                    && out.stream().noneMatch(at -> at >= low - around && at <= high + around);
        }
        for (int place : places.get(chosen.size())) {
            if (!ordered || chosen.isEmpty() || place > chosen.getLast()) {
                chosen.add(place);
                if (tried(places, chosen, out, distance, ordered)) {
                    return true;
                }
                chosen.removeLast();
            }
        }
        return false;
    }

    private static List<Integer> places(List<String> elements, List<String> item, int gap) {
        var places = new ArrayList<Integer>();
        int first = 0;
        for (String element : elements) {
            List<String> words =
                    Arrays.stream(element.split(" ")).filter(word -> !word.isEmpty()).toList();
            for (int i = 0; i + item.size() <= words.size(); i++) {
                if (words.subList(i, i + item.size()).equals(item)) {
                    places.add(first + i);
                }
            }
            first += words.size() + gap;
        }
        return places;
    }
}
