package org.crabro.document.select;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SelectionErrorsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "music.year > 2000 ) | 18 | Expected 'and', 'or' or the end but found ')'",
                "music.year > | 12 | Expected a value but found the end",
                "music.year > > 1 | 13 | Expected a value but found '>'",
                "(music | 6 | Expected ')' but found the end",
                "musik.year == 1 | 0 | There is no document type 'musik'; the types are [book, music, single]",
                "book.page == 1 | 5 | There is no field 'page' in 'book'; its fields are [pages, title]",
                "music.first.nam == 'x' | 12 | There is no field 'nam' in 'track'; its fields are [name,"
                        + " seconds]",
                "music.year.x == 1 | 11 | There is no member 'x' in int",
                "music.year[0] == 1 | 10 | Expected an array before '[' but it is int",
                "music.tags{a} == 1 | 10 | Expected a map or a weighted set before '{' but it is"
                        + " array<string>",
                "music.counts{a} == 1 | 12 | Expected a key of type int but found 'a'",
                "music.tags[x] == 1 | 11 | Expected an index from 0 to 999999999 or a $variable",
                "music.tags[0 == 1 | 13 | Expected ']' but found '='",
                "music.tags[$] == 1 | 12 | Expected the name of a variable but found ']'",
                "1 | 0 | Expected a comparison, a field, a document type, true or false",
                "music == 1 | 0 | Expected a value but found a condition",
                "1 == 1 == 1 | 7 | Expected 'and' or 'or' after a comparison but found '='",
                "1 == (music and 2 == 2) | 5 | Expected a value but found a condition",
                "music and | 9 | Expected a value but found the end",
                "and music | 0 | Expected a value but found 'and'",
                "id.usr == 1 | 3 | Expected scheme, namespace, type, specific, user, group, bucket"
                        + " or gid after 'id.' but found 'usr'",
                "music.title =~ '(' | 15 | Expected a regular expression: error parsing regexp:"
                        + " missing closing ): `(`",
                "music.title =~ music.artist | 15 | Expected a regular expression in quotes",
                "music.title == 'abc | 15 | Expected a closing ' for the text that begins",
                "music.title == 'a\\qc' | 17 | Expected one of \\\\ \\\" \\' \\t \\n \\f \\r \\x",
                "music.title == '\\x4' | 16 | Expected two hexadecimal digits after \\x",
                "music.year == 99999999999999999999 | 14 | Expected a number from -2^63 to 2^63-1",
                "music.year == 0x | 14 | Expected 1 to 16 hexadecimal digits after 0x",
                "music.length == 1.5e | 19 | Expected digits in the exponent",
                "music.year.size() == 1 | 11 | Expected hash(), abs() or lowercase()",
                "now( == 1 | 5 | Expected '()' but found '='",
                "now == 1 | 0 | There is no document type 'now'; the types are [book, music, single]",
                "NOW() == 1 | 0 | There is no document type 'NOW'; the types are [book, music, single]",
                "Music | 0 | There is no document type 'Music'; the types are [book, music, single]",
                "book.Pages == 1 | 5 | There is no field 'Pages' in 'book'; its fields are [pages, title]",
                "music.year == - 5 | 14 | Expected a value but found '-'",
                "1e3 == 1000 | 0 | Expected a comparison, a field, a document type, true or false",
                "music year | 6 | Expected 'and', 'or' or the end but found 'year'",
            })
    void reportsProblemAndPlace(String text, int position, String problem) {
        InvalidSelectionException e =
                catchThrowableOfType(
                        InvalidSelectionException.class, () -> Selection.parse(text, Music.TYPES));

        assertThat(e).as(text).isNotNull();
        List<String> lines = String.valueOf(e.getMessage()).lines().toList();
        assertThat(lines.getFirst()).isEqualTo(problem + " at position " + position);
        assertThat(e.position()).isEqualTo(position);
        assertThat(lines.getLast()).hasSize(position + 1).endsWith("^");
    }

    @Test
    void refusesWhatIsTooDeepOrTooLong() {
        int deep = Selection.DEPTH_MAX + 1;

        assertThat(problem("(".repeat(deep) + "music" + ")".repeat(deep)))
                .startsWith("Expected a selection nested at most 1024 deep at position 1024");
        assertThat(problem("not ".repeat(deep) + "music"))
                .startsWith("Expected a selection nested at most 1024 deep at position 4096");
        assertThat(problem(" ".repeat(Selection.LENGTH_MAX) + "x"))
                .startsWith("Expected at most 1048576 characters in a selection");
    }

    /** A selection at the depth limit is parsed and evaluated; a deeper one is rejected. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "`music.year`|`.abs()`|``|` == 1`|1024|value",
                "`music.title`|`.lowercase()`|``|` == 'a'`|1024|value",
                "`music.ratings[$i]`|`.abs()`|``|` == 1`|1024|value",
                "`1`|` - (1`|`)`|` == 1`|1024|selection",
                "`1 == 1`|` - (1`|`)`|``|1024|selection",
                "`1 == 1`|` - (music.ratings[$i]`|`)`|``|1024|selection",
                "`music`|` or (book and not (music`|`))`|``|341|selection",
                "`music.title =~ '`|`(`|`)`|`'`|200|regular expression",
            })
    void boundsWhatIsDeep(
            String begin, String opening, String closing, String end, int deepest, String what) {
        Selection deep =
                Selection.parse(repeated(begin, opening, closing, end, deepest), Music.TYPES);

        assertThat(deep.of(SelectedDocument.of(Music.DOCUMENT), 1)).isNotNull();
        assertThat(deep.batches("music", 1, Selection.UNLIMITED)).isNotNull();
        for (int depth : new int[] {deepest + 1, 10_000, 40_000}) {
            assertThat(problem(repeated(begin, opening, closing, end, depth)))
                    .startsWith("Expected a " + what)
                    .contains(" at most ");
        }
    }

    private static String repeated(
            String begin, String opening, String closing, String end, int depth) {
        return begin + opening.repeat(depth) + closing.repeat(depth) + end;
    }

    @Test
    void refusesCalculationsThatAreDeepToTheLeft() {
        int deep = Selection.DEPTH_MAX;
        String deepest = "(".repeat(deep) + "1" + " + 1)".repeat(deep) + " == 1025";

        assertThat(Selection.parse(deepest, Music.TYPES).of(SelectedDocument.of(Music.DOCUMENT), 1))
                .isEqualTo(Truth.TRUE);
        assertThat(problem("(" + deepest + ")"))
                .startsWith("Expected a selection nested at most 1024 deep at position 1024");
        assertThat(problem(deepest.replace(" == 1025", " + 1 == 1")))
                .startsWith("Expected a value nested at most 1024 deep at position 0");
    }

    @Test
    void refusesValuesOfTooManyOperatorsInEachOther() {
        Selection deepest =
                Selection.parse(repeated("1", " - 2 * 3 % (1", ")", " == 1", 341), Music.TYPES);

        assertThat(deepest.of(SelectedDocument.of(Music.DOCUMENT), 1)).isNotNull();
        assertThat(problem(repeated("1", " - 2 * 3 % (1", ")", " == 1", 342)))
                .startsWith("Expected a value nested at most 1024 deep at position 4");
    }

    @Test
    void acceptsAConjunctionOfTheDeepestSelections() {
        int deep = Selection.DEPTH_MAX;
        String deepest = "(".repeat(deep) + "music" + ")".repeat(deep);
        String both = "(" + deepest + ") and (id.group == 'anna')";

        assertThat(
                        Selection.parseConjunction(both, Music.TYPES)
                                .of(SelectedDocument.of(Music.DOCUMENT), 1))
                .isEqualTo(Truth.TRUE);
        assertThat(problem(both))
                .startsWith("Expected a selection nested at most 1024 deep at position 1024");
    }

    @Test
    void evaluatesWhatIsAsDeepAsMayBeOnHalfOfAUsualStack() throws Exception {
        var told = new FutureTask<Void>(SelectionErrorsTest::evaluateWhatIsAsDeepAsMayBe, null);
        var thread = new Thread(null, told, "small stack", 640 << 10);

        thread.start();

        assertThat(told.get()).isNull();
    }

    private static void evaluateWhatIsAsDeepAsMayBe() {
        int deep = Selection.DEPTH_MAX;
        for (String text :
                List.of(
                        "(".repeat(deep) + "music" + ")".repeat(deep),
                        "not ".repeat(deep) + "music",
                        "not (".repeat(deep / 2) + "music" + " and music)".repeat(deep / 2),
                        "(music or ".repeat(deep) + "music.year == 1" + ")".repeat(deep),
                        "book or (music and (".repeat(deep / 2) + "music" + "))".repeat(deep / 2),
                        "book or music and not (".repeat(deep / 2) + "music" + ")".repeat(deep / 2),
                        "1" + " - (music.year".repeat(deep) + ")".repeat(deep) + " == 1",
                        "1" + " - (music.ratings[$i]".repeat(deep) + ")".repeat(deep) + " == 1")) {
            Selection selection = Selection.parse(text, Music.TYPES);

            Truth truth = selection.of(SelectedDocument.of(Music.DOCUMENT), 1);
            assertThat(selection.batches("music", 1, Selection.UNLIMITED)).isNotNull();
            assertThat(selection.fields("book")).isEmpty();
            assertThat(
                            selection.mayMean(
                                            "music", 1, _ -> Optional.empty(), Selection.UNLIMITED)
                                    || truth != Truth.TRUE)
                    .isTrue();
        }
    }

    /** For any text, the parser returns a selection or a description of the error. */
    @Test
    void fuzzing() {
        long seed = Long.getLong("crabro.seed", 2026);
        var random = new Random(seed);
        List<String> pieces =
                List.of(
                        "music", ".year", ".tags", "[0]", "[$i]", "{k}", "{\"k\"}", " == ", "=~",
                        "=", "!=", "<", ">=", "(", ")", " and ", " or ", " not ", "'a'", "\"b\"",
                        "1", "-2.5e3", "0x1f", "null", "true", "id", ".user", ".hash()", "now()",
                        "+", "-", "*", "%", "$i", " ", "\\", "'", "\u00e9", "\ud83d");
        int understood = 0;
        for (int i = 0; i < 50_000; i++) {
            var text = new StringBuilder();
            for (int j = random.nextInt(12); j >= 0; j--) {
                text.append(pieces.get(random.nextInt(pieces.size())));
            }
            try {
                Selection selection = Selection.parse(text.toString(), Music.TYPES);
                assertThat(selection.of(SelectedDocument.of(Music.DOCUMENT), 1)).isNotNull();
                understood++;
            } catch (InvalidSelectionException e) {
                assertThat(e.position()).as("seed %d: %s", seed, text).isBetween(0, text.length());
            }
        }
        assertThat(understood).as("seed %d", seed).isGreaterThan(100);
    }

    private static String problem(String text) {
        var e =
                catchThrowableOfType(
                        InvalidSelectionException.class, () -> Selection.parse(text, Music.TYPES));
        return String.valueOf(e.getMessage());
    }
}
