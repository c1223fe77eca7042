package org.crabro.document.predicate;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PredicateReaderTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);

    /** A query with gender Female, hobbies music and hiking, a name of two words, and age 25. */
    private static final Query QUERY =
            new Query(
                    Map.of(
                            "gender",
                            Set.of("Female"),
                            "hobby",
                            Set.of("music", "hiking"),
                            "full name",
                            Set.of("Ann O'Hara é")),
                    Map.of("age", 25L, "balance", Long.MIN_VALUE));

    private record Query(Map<String, Set<String>> values, Map<String, Long> numbers)
            implements PredicateReader.Attributes {
        @Override
        public boolean has(byte[] term, int length) {
            int name = 0;
            while (term[name] != PredicateReader.SEPARATOR) {
                name++;
            }
            return values.getOrDefault(text(term, 0, name), Set.of())
                    .contains(text(term, name + 1, length));
        }

        @Override
        public boolean isWithin(byte[] name, int length, long low, long high) {
            Long number = numbers.get(text(name, 0, length));
            return number != null && number >= low && number <= high;
        }

        private static String text(byte[] bytes, int from, int to) {
            return new String(bytes, from, to - from, StandardCharsets.UTF_8);
        }
    }

    private static boolean test(String predicate) {
        byte[] utf8 = predicate.getBytes(StandardCharsets.UTF_8);
        return new PredicateReader().test(utf8, utf8.length, QUERY);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "true | true",
                "false | false",
                "gender in [Female] | true",
                "gender in Female | true",
                "gender in ['Male', \"Female\"] | true",
                "gender in [Male] | false",
                "gender not in [Male] | true",
                "gender not in [Female] | false",
                "income in [high] | false",
                "income not in [high] | true",
                "hobby in [hiking] and hobby in [music] | true",
                "age in [20..30] | true",
                "age in [25..25] | true",
                "age in [..24] | false",
                "age in [26..] | false",
                "age in [..] | true",
                "age not in [20..30] | false",
                "height in [..] | false",
                "height not in [0..1] | true",
                "balance in [-9223372036854775808..+0] | true",
                "not (gender in [Male]) and age in [ 20 .. 30 ] | true",
                "NOT(age IN [20..30]) OR gender In [Female] | true",
                "gender in [Male] or gender in [Female] and age in [1..2] | false",
                "(gender in [Male] or gender in [Female]) and age in [1..30] | true",
                "'full name' in ['Ann O\\'Hara \\xc3\\xa9'] | true",
                "true in [x] or not in [y] or true | true",
                "age in [20..30] and (not (false)) | true",
            })
    void evaluates(String predicate, boolean expected) {
        assertThat(PredicateReader.problem(predicate)).isEmpty();
        assertThat(test(predicate)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "`` | expected an attribute, true, false, or ( at byte 0 of the predicate",
                "gender | expected in at byte 6 of the predicate",
                "gender in | expected a value at byte 9 of the predicate",
                "gender in [] | expected a value at byte 11 of the predicate",
                "gender in [Male | expected ] at byte 15 of the predicate",
                "age in [1..2 | expected ] at byte 12 of the predicate",
                "age in [1..9223372036854775808] | expected a number of 64 bits at byte 11 of the predicate",
                "(true | expected ) at byte 5 of the predicate",
                "true false | expected and, or, or the end at byte 5 of the predicate",
                "a in ['b | expected ' at byte 8 of the predicate",
                "a in ['\\q'] | expected a character that \\ may precede at byte 9 of the predicate",
                "a in ['\\x00'] | expected a character that \\ may precede at byte 9 of the predicate",
                "not true | expected in at byte 4 of the predicate",
            })
    void refuses(String predicate, String problem) {
        assertThat(PredicateReader.problem(predicate)).contains(problem);
        assertThat(test(predicate)).isFalse();
    }

    /** Parts as s-expressions. */
    private static final class PartTexts implements PredicateReader.Parts {
        private final List<String> texts = new ArrayList<>();

        private int add(String text) {
            texts.add(text);
            return texts.size() - 1;
        }

        @Override
        public int constant(boolean isTrue) {
            return add(String.valueOf(isTrue));
        }

        @Override
        public int has(byte[] term, int length) {
            return add(Query.text(term, 0, length).replace('\0', ':'));
        }

        @Override
        public int within(byte[] name, int length, long low, long high) {
            return add(Query.text(name, 0, length) + ":" + low + ".." + high);
        }

        @Override
        public int and(int one, int other) {
            return add("(and %s %s)".formatted(texts.get(one), texts.get(other)));
        }

        @Override
        public int or(int one, int other) {
            return add("(or %s %s)".formatted(texts.get(one), texts.get(other)));
        }

        @Override
        public int not(int part) {
            return add("(not %s)".formatted(texts.get(part)));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "true | true",
                "a in x | a:x",
                "a in [x, y, z] | (or (or a:x a:y) a:z)",
                "a not in [x, y] | (not (or a:x a:y))",
                "n in [-3..] | n:-3..9223372036854775807",
                "not (a in [x]) and n not in [1..2] | (and (not a:x) (not n:1..2))",
                "a in [x] or b in [y] and false or c in [z] | (or (or a:x (and b:y false)) c:z)",
            })
    void reportsPartsFromTheInsideOut(String predicate, String expected) {
        byte[] utf8 = predicate.getBytes(StandardCharsets.UTF_8);
        var parts = new PartTexts();

        int whole = new PredicateReader().read(utf8, utf8.length, parts);

        assertThat(parts.texts.get(whole)).isEqualTo(expected);
        assertThat(whole).isEqualTo(parts.texts.size() - 1);
    }

    @Test
    void saysThatATextIsNoPredicate() {
        byte[] utf8 = "a in [x] and".getBytes(StandardCharsets.UTF_8);

        assertThat(new PredicateReader().read(utf8, utf8.length, new PartTexts()))
                .isEqualTo(PredicateReader.INVALID);
    }

    @Test
    void refusesDeepNestingAndLongTexts() {
        String deep = "(".repeat(101) + "true" + ")".repeat(101);

        assertThat(PredicateReader.problem(deep))
                .contains("expected at most 100 nested parentheses at byte 100 of the predicate");
        assertThat(PredicateReader.problem("(".repeat(100) + "true" + ")".repeat(100))).isEmpty();
        assertThat(PredicateReader.problem(" ".repeat(PredicateReader.LENGTH_MAX) + "true"))
                .isPresent();
    }

    /** A random predicate and its truth, computed while it is made. */
    private record Made(String text, boolean isTrue) {}

    private static Made made(Random random, int depth) {
        int kind = random.nextInt(depth == 0 ? 2 : 5);
        return switch (kind) {
            case 0 -> {
                String name = List.of("gender", "hobby", "income").get(random.nextInt(3));
                List<String> values = List.of("Female", "music", "hiking", "x");
                var chosen = new ArrayList<String>();
                for (int i = 1 + random.nextInt(3); i > 0; i--) {
                    chosen.add(values.get(random.nextInt(values.size())));
                }
                boolean isNegated = random.nextBoolean();
                boolean has =
                        chosen.stream()
                                .anyMatch(QUERY.values().getOrDefault(name, Set.of())::contains);
                yield new Made(
                        name + (isNegated ? " not" : "") + " in " + chosen, has != isNegated);
            }
            case 1 -> {
                int low = random.nextInt(20, 30);
                int high = random.nextInt(20, 30);
                yield new Made("age in [" + low + ".." + high + "]", low <= 25 && high >= 25);
            }
            case 2 -> {
                Made inner = made(random, depth - 1);
                yield new Made("not (" + inner.text + ")", !inner.isTrue);
            }
            default -> {
                Made one = made(random, depth - 1);
                Made other = made(random, depth - 1);
                yield kind == 3
                        ? new Made(
                                "(" + one.text + ") and (" + other.text + ")",
                                one.isTrue && other.isTrue)
                        : new Made(
                                "(" + one.text + ") or (" + other.text + ")",
                                one.isTrue || other.isTrue);
            }
        };
    }

    @Test
    void evaluatesRandomPredicates() {
        var random = new Random(SEED);
        for (int i = 0; i < 2_000; i++) {
            Made made = made(random, 4);

            assertThat(test(made.text)).as("%s, seed %d", made.text, SEED).isEqualTo(made.isTrue);
        }
    }
}
