package org.crabro.document.select;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;
import org.crabro.document.FieldValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SelectionTest {
    private static final long NOW = 4_000;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                // Leaves.
                "`` | TRUE",
                "`  ` | TRUE",
                "true | TRUE",
                "FALSE | FALSE",
                "music | TRUE",
                "book | FALSE",
                "single | FALSE",
                "not music | FALSE",
                "music.artist | TRUE",
                "music.note | FALSE",
                "not music.note | TRUE",
                "1 == 1 | TRUE",
                "'a' == 'b' | FALSE",
                // Numbers.
                "music.year == 1998 | TRUE",
                "1998 = music.year | TRUE",
                "music.year != 1998 | FALSE",
                "music.year >= 1998 and music.year < 0x7cf | TRUE",
                "music.year == 1998.0 | TRUE",
                "music.length > 2 | TRUE",
                "music.length <= 2.5e0 | TRUE",
                "music.live == true | TRUE",
                "music.live == 1 | TRUE",
                "music.year == -1998 | FALSE",
                "music.year == '1998' | INVALID",
                // Texts.
                "music.artist == 'foobarbaz' | TRUE",
                "music.artist < 'fop' | TRUE",
                "music.artist = '*bar*' | TRUE",
                "music.artist = 'foo?ar*' | TRUE",
                "music.artist = 'foo' | FALSE",
                "music.artist = '*bar' | FALSE",
                "music.year = '199*' | INVALID",
                "music.title =~ '^A.*z$' | TRUE",
                "music.title =~ 'fine' | TRUE",
                "music.title =~ '' | TRUE",
                "music.title =~ 'rock' | FALSE",
                "music.note =~ 'rock' | INVALID",
                "music.artist.lowercase() == 'foobarbaz' | TRUE",
                "'\\x41\\t\\'\\\"' == \"A\t'\\\"\" | TRUE",
                // Null.
                "null == null | TRUE",
                "music.note == null | TRUE",
                "music.note != null | FALSE",
                "music.note != 5 | TRUE",
                "music.note == 5 | FALSE",
                "music.note < 5 | INVALID",
                "not music.note < 5 | INVALID",
                "music.year != null | TRUE",
                "music.cover | TRUE",
                "music.cover == 'AAAA' | INVALID",
                "music.first != null | TRUE",
                "music.first == 3 | INVALID",
                // References are compared by their ids; fields imported through them have no value.
                "music.label == 'id:ns:label::blue' | TRUE",
                "music.label = 'id:ns:label:*' | TRUE",
                "music.label_name == null | TRUE",
                "music.label_name == 'blue' | FALSE",
                "music.label_name | FALSE",
                "not music.label_name | TRUE",
                "single.label_name == null | INVALID",
                // Arithmetic.
                "music.year + 2 == 2000 | TRUE",
                "music.year % 2 == 0 | TRUE",
                "7 / 2 == 3 | TRUE",
                "7 / 2.0 == 3.5 | TRUE",
                "2 + 3 * 4 == 14 | TRUE",
                "(2 + 3) * 4 == 20 | TRUE",
                "10 - 3 - 2 == 5 | TRUE",
                "2 * 7 % 4 == 6 | TRUE",
                "-7 % 4 == -3 | TRUE",
                "'a' + 'b' == 'ab' | TRUE",
                "'a' + 1 == 'a1' | INVALID",
                "1 / 0 == 1 | INVALID",
                "1 % 0 == 1 | INVALID",
                "1.5 % 1 == 1 | INVALID",
                "music.note + 1 == 1 | INVALID",
                "music.expires > now() - 86400 | TRUE",
                "music.expires < now() | FALSE",
                // Functions.
                "'bar'.hash() == -2012135647395072713 | TRUE",
                "id.hash().abs() % 1 == 0 | TRUE",
                "1.hash() == 3639118294325972275 | TRUE",
                "2.5.hash() == -3484132759014424550 | TRUE",
                "music.year.hash() != null | TRUE",
                "id.hash() == -4222801164746154296 | TRUE",
                "null.hash() == 1 | INVALID",
                "music.tags.hash() == 1 | INVALID",
                "(0 - 3).abs() == 3 | TRUE",
                "music.year.abs() == 1998 | TRUE",
                "music.artist.abs() == 1 | INVALID",
                "music.year.lowercase() == 1 | INVALID",
                // Ids.
                "id == 'id:ns:music:g=anna:one' | TRUE",
                "ID = 'id:ns:music:*' | TRUE",
                "id.scheme == 'id' | TRUE",
                "id.NameSpace == 'ns' | TRUE",
                "id.type == 'music' | TRUE",
                "id.specific == 'one' | TRUE",
                "id.group == 'anna' | TRUE",
                "id.user == 1234 | INVALID",
                "not id.user == 1234 | INVALID",
                "id.user == null | INVALID",
                "id.gid = 'gid(0x*)' | TRUE",
                // Collections: any element.
                "music.tags = 'rock' | TRUE",
                "music.tags == 'jazz' | FALSE",
                "music.tags != 'rock' | TRUE",
                "'pop' == music.tags | TRUE",
                "music.ratings > 4 | TRUE",
                "4 < music.ratings | TRUE",
                "music.ratings > 5 | FALSE",
                "music.ratings == music.ratings | TRUE",
                "music.ratings != music.ratings | FALSE",
                "music.ratings == music.tags | INVALID",
                "music.votes == 'good' | TRUE",
                "music.props == 'v' | TRUE",
                "music.props == 'k' | TRUE",
                // Paths.
                "music.tags[0] == 'rock' | TRUE",
                "music.tags[1] == 'rock' | FALSE",
                "music.tags[9] == null | TRUE",
                "music.votes{good} == 7 | TRUE",
                "music.props{k} == 'v' | TRUE",
                "music.props{\"a b\"} == 'w' | TRUE",
                "music.props{none} == null | TRUE",
                "music.props.key == 'k' | TRUE",
                "music.props.value == 'k' | FALSE",
                "music.counts{1} == 10 | TRUE",
                "music.first.name == 'intro' | TRUE",
                "music.tracks[1].seconds == 200 | TRUE",
                "music.tracks.name == 'song' | TRUE",
                "music.discs{x}.seconds == 1 | TRUE",
                "music.discs.value.name == 'song' | TRUE",
                // Variables: the same element for all conditions around.
                "music.discs{$d}.name == 'intro' and music.discs{$d}.seconds == 1 | TRUE",
                "music.discs{$d}.name == 'intro' and music.discs{$d}.seconds == 2 | FALSE",
                "music.tracks[$t].name == 'song' and music.tracks[$t].seconds > 100 | TRUE",
                "music.tracks[$t].name == 'intro' and music.tracks[$t].seconds > 100 | FALSE",
                "music.discs{$d}.name == 'song' and $d == 'y' | TRUE",
                "$d == 'y' | INVALID",
                "music.ratings[$i] == music.tracks[$i].seconds - 27 | TRUE",
                "music.ratings[$i] + $i == 6 | TRUE",
                "music.ratings[$i] + $i == 5 | FALSE",
                // Precedence and three values.
                "false or true and true | TRUE",
                "true or true and false | TRUE",
                "not false and false | FALSE",
                "(book or music.year == 1998) and not music.note | TRUE",
                "book.pages > 1 | INVALID",
                "not book.pages > 1 | INVALID",
                "book.pages > 1 or true | TRUE",
                "book.pages > 1 or false | INVALID",
                "book.pages > 1 and false | FALSE",
                "book.pages > 1 and true | INVALID",
                "single.year == 1998 | INVALID",
                // Keywords in any case, and operators with operands of other types.
                "NOT book AND (True oR book) | TRUE",
                "'a\\nb\\f\\r\\\\' =~ '^a\\\\nb\\\\f\\\\r' | TRUE",
                "music.artist = null | FALSE",
                "music.note = null | TRUE",
                "music.note = 'a*' | INVALID",
                "null < null | INVALID",
                "null =~ 'a' | INVALID",
                "3 -1 == 2 | TRUE",
                "3 - -1 == 4 | TRUE",
                "+3 == 3 | TRUE",
                "1.5 + 1 == 2.5 | TRUE",
                "-7 / 2 == -3 | TRUE",
                "'a' - 'b' == 'c' | INVALID",
                "music.first.seconds + 1 == 31 | TRUE",
                "music.first != 3 | INVALID",
                "music.cover != null and music.cover > 'A' | INVALID",
                "music.tags > 'pop' | TRUE",
                "music.tags =~ '^ro' | TRUE",
                "music.tags[$i] =~ '^ro' and $i == 0 | TRUE",
                "id.user != null | INVALID",
            })
    void saysWhatTheLanguageMeans(String text, Truth expected) {
        assertThat(select(text, Music.DOCUMENT)).as(text).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "true, true, true, true, false",
        "true, false, false, true, false",
        "true, null < 1, invalid, true, false",
        "false, true, false, true, true",
        "false, false, false, false, true",
        "false, null < 1, false, invalid, true",
        "null < 1, true, invalid, true, invalid",
        "null < 1, false, false, invalid, invalid",
        "null < 1, null < 1, invalid, invalid, invalid",
    })
    void hasThreeTruths(String left, String right, String and, String or, String not) {
        assertThat(truth("(" + left + ") and (" + right + ")")).isEqualTo(truthOf(and));
        assertThat(truth("(" + left + ") or (" + right + ")")).isEqualTo(truthOf(or));
        assertThat(truth("not (" + left + ")")).isEqualTo(truthOf(not));
    }

    private static Truth truth(String text) {
        return Selection.parse(text, Music.TYPES).of(SelectedDocument.of(Music.DOCUMENT), 1_000);
    }

    private static Truth truthOf(String name) {
        return Truth.valueOf(name.toUpperCase(java.util.Locale.ROOT));
    }

    @Test
    void matchesHeirsAsTheirAncestors() {
        Document single = Music.document("id:ns:single::one");

        assertThat(select("music.year == 1998", single)).isEqualTo(Truth.TRUE);
        assertThat(select("music", single)).isEqualTo(Truth.FALSE);
        assertThat(select("single", single)).isEqualTo(Truth.TRUE);
    }

    @Test
    void treatsEmptyCollectionsAsMissing() {
        var document =
                new Document(
                        DocumentId.parse("id:ns:music::one"),
                        Map.of(
                                "tags",
                                new FieldValue.ArrayValue(List.of()),
                                "title",
                                new FieldValue.StringValue("")));

        assertThat(select("music.tags == null", document)).isEqualTo(Truth.TRUE);
        assertThat(select("music.tags[$i] == 'x'", document)).isEqualTo(Truth.INVALID);
        assertThat(select("music.title == ''", document)).isEqualTo(Truth.TRUE);
        assertThat(select("music.title", document)).isEqualTo(Truth.TRUE);
    }

    @Test
    void knowsTheNumbersAndBucketsOfIds() {
        Document numbered = Music.document("id:ns:music:n=1234:one");
        long bucket = numbered.id().globalId().bucket();
        long outer = (16L << 58) | (bucket & 0xffff);
        long other = (16L << 58) | (~bucket & 0xffff);

        assertThat(select("id.user == 1234", numbered)).isEqualTo(Truth.TRUE);
        assertThat(select("id.user != 1234", numbered)).isEqualTo(Truth.FALSE);
        assertThat(select("id.group == 'x'", numbered)).isEqualTo(Truth.INVALID);
        assertThat(select("id.bucket == " + outer, numbered)).isEqualTo(Truth.TRUE);
        assertThat(select("id.bucket == " + other, numbered)).isEqualTo(Truth.FALSE);
        assertThat(select("id.bucket == 'BucketId(0x%016x)'".formatted(outer), numbered))
                .isEqualTo(Truth.TRUE);
    }

    /** Java sorts characters beyond U+FFFF before some of the others. */
    @Test
    void ordersTextsByTheirBytes() {
        assertThat(select("'\ud83d\ude00' > '\uffee'", Music.DOCUMENT)).isEqualTo(Truth.TRUE);
        assertThat(select("'\uffee' > '\ud83d\ude00'", Music.DOCUMENT)).isEqualTo(Truth.FALSE);
    }

    @Test
    void returnsTheFieldsThatItReads() {
        Selection selection =
                Selection.parse(
                        "music.year > 1 and (book.pages == 2 or music.tags[$i] == $i)",
                        Music.TYPES);

        assertThat(selection.fields("music")).containsExactly("tags", "year");
        assertThat(selection.fields("single")).containsExactly("tags", "year");
        assertThat(selection.fields("book")).containsExactly("pages");
    }

    @Test
    void acceptsLongChains() {
        String chain =
                IntStream.range(0, 40_000)
                        .mapToObj(i -> "music.year == " + i)
                        .collect(Collectors.joining(" or "));

        assertThat(select(chain, Music.DOCUMENT)).isEqualTo(Truth.TRUE);
        assertThat(select("1" + " + 1".repeat(99_999) + " == 100000", Music.DOCUMENT))
                .isEqualTo(Truth.TRUE);
    }

    @Test
    void acceptsDeepNesting() {
        int depth = Selection.DEPTH_MAX;

        assertThat(select("(".repeat(depth) + "music" + ")".repeat(depth), Music.DOCUMENT))
                .isEqualTo(Truth.TRUE);
        assertThat(
                        select(
                                "not (".repeat(depth / 2) + "music" + ")".repeat(depth / 2),
                                Music.DOCUMENT))
                .isEqualTo(Truth.TRUE);
    }

    /** Five variables over 20 elements are three million combinations. */
    @Test
    void givesUpWhereVariablesHaveTooManyCombinations() {
        List<FieldValue> ratings =
                IntStream.range(0, 20).<FieldValue>mapToObj(FieldValue.IntValue::new).toList();
        var document =
                new Document(
                        DocumentId.parse("id:ns:music::one"),
                        Map.of("ratings", new FieldValue.ArrayValue(ratings)));
        String selection =
                IntStream.range(0, 5)
                        .mapToObj(i -> "music.ratings[$" + "abcde".charAt(i) + "] >= 0")
                        .collect(Collectors.joining(" and "));

        assertThat(select(selection, document)).isEqualTo(Truth.INVALID);
    }

    private static Truth select(String text, Document document) {
        return Selection.parse(text, Music.TYPES).of(SelectedDocument.of(document), NOW);
    }
}
