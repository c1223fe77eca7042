package org.crabro.content.search.execution;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.crabro.config.schema.SnippetSettings;
import org.crabro.config.schema.SnippetSize;
import org.crabro.config.schema.StemMarking;
import org.crabro.content.search.match.text.TextMarks.Mark;
import org.crabro.protocol.search.Marking;
import org.junit.jupiter.api.Test;

class HighlighterTest {
    private static final String FILLER = "lorem ipsum ".repeat(40);

    @Test
    void showsShortTextsWhole() {
        assertThat(parts("a wonderful day", marks("a wonderful day", "wonderful")))
                .isEqualTo("a <hi>wonderful</hi> day");
    }

    @Test
    void showsTheBeginningWithoutAMatch() {
        String shown = parts(FILLER, List.of());

        assertThat(shown).startsWith("lorem ipsum lorem").endsWith("lorem<sep />");
        assertThat(shown.length()).isBetween(256, 280);
    }

    @Test
    void showsWhatSurroundsTheWords() {
        String text = FILLER + "the needle here " + FILLER;

        String shown = parts(text, marks(text, "needle"));

        assertThat(shown)
                .startsWith("<sep />")
                .endsWith("<sep />")
                .contains("ipsum the <hi>needle</hi> here lorem");
        assertThat(shown.replaceAll("<[^>]*>", "").length()).isBetween(230, 290);
    }

    @Test
    void showsThreePartsAtMostAndThoseWithMostWordsFirst() {
        String text =
                "one " + FILLER + "one two " + FILLER + "one " + FILLER + "two " + FILLER + "one";

        String shown = parts(text, marks(text, "one", "two"));

        assertThat(shown.split("<sep />", -1)).hasSize(4);
        assertThat(shown).startsWith("<hi>one</hi> lorem").contains("<hi>one</hi> <hi>two</hi>");
    }

    @Test
    void joinsPartsThatTouch() {
        String text = FILLER + "one " + "lorem ".repeat(36) + "two " + FILLER;

        String shown = parts(text, marks(text, "one", "two"));

        assertThat(shown.split("<sep />", -1)).hasSizeLessThanOrEqualTo(4);
        assertThat(shown).contains("<hi>one</hi>").contains("<hi>two</hi>");
    }

    @Test
    void neverChangesTheTextItself() {
        long seed = Long.getLong("crabro.seed", 20_26);
        var random = new Random(seed);
        for (int i = 0; i < 2_000; i++) {
            var text = new StringBuilder();
            for (int words = random.nextInt(200); words > 0; words--) {
                text.append("x".repeat(random.nextInt(9))).append(' ');
                text.append(
                        random.nextInt(12) == 0 ? "needle " : random.nextInt(9) == 0 ? "🐝" : "");
                text.append(random.nextInt(60) == 0 ? "long".repeat(40) : "");
            }
            String whole = text.toString();

            String shown = parts(whole, marks(whole, "needle"));

            String remaining = whole;
            for (String part : shown.replaceAll("</?hi>", "").split("<sep />", -1)) {
                assertThat(remaining)
                        .as("part %s, seed %d, round %d", part, seed, i)
                        .contains(part);
                remaining = remaining.substring(remaining.indexOf(part) + part.length());
                assertThat(Character.isLowSurrogate(part.isEmpty() ? 'a' : part.charAt(0)))
                        .isFalse();
            }
            assertThat(whole.contains("needle")).isEqualTo(shown.contains("<hi>needle</hi>"));
        }
    }

    @Test
    void showsAsMuchAsIsAskedFor() {
        String text = FILLER + "one two " + FILLER + "one " + FILLER + "two " + FILLER;
        List<Mark> marks = marks(text, "one", "two");

        assertThat(parts(text, marks, settings(100, 1, 0, 20)))
                .isEqualTo(
                        "<sep />lorem ipsum lorem ipsum <hi>one</hi> <hi>two</hi> lorem ipsum"
                                + " lorem ipsum<sep />");
        assertThat(parts(text, marks, settings(100, 2, 0, 5)).split("<sep />", -1))
                .as("two parts")
                .hasSize(4);
        assertThat(parts(text, marks, settings(100, 1, 100, 5)).split("<sep />", -1))
                .as("as many parts as come to the least length")
                .hasSize(5);
        assertThat(parts(text, marks, settings(5_000, 1, 0, 5)))
                .as("a text that is not longer")
                .isEqualTo(Highlighter.whole(text, marks, Marking.DEFAULT));
    }

    @Test
    void showsNoBeginningWhereNoneIsWanted() {
        var without =
                new SnippetSettings(
                        new SnippetSize(256, 128, 3, 128),
                        200,
                        1_000,
                        new StemMarking(5, 3),
                        false);

        assertThat(parts(FILLER, List.of(), without)).isEmpty();
        assertThat(parts("short", List.of(), without)).isEqualTo("short");
    }

    @Test
    void joinsNearWordsInOnePart() {
        String text = FILLER + "one " + "lorem ".repeat(10) + "two " + FILLER;
        List<Mark> marks = marks(text, "one", "two");

        assertThat(parts(text, marks, with(200)).split("<sep />", -1)).hasSize(3);
        assertThat(parts(text, marks, with(20)).split("<sep />", -1)).hasSize(4);
    }

    @Test
    void marksAsTheQuerySays() {
        String text = FILLER + "one" + FILLER;
        List<Mark> marks = marks(text, "one");

        assertThat(
                        Highlighter.whole(
                                "one two",
                                marks("one two", "two"),
                                new Marking(true, "[", "]", "…")))
                .isEqualTo("one [two]");
        assertThat(
                        Highlighter.parts(
                                text,
                                marks,
                                settings(100, 1, 0, 5),
                                new Marking(true, "[", "]", "…")))
                .startsWith("…")
                .contains("[one]")
                .endsWith("…");
        assertThat(
                        Highlighter.parts(
                                text, marks, settings(100, 1, 0, 5), Marking.DEFAULT.on(false)))
                .as("the same part, unmarked")
                .isEqualTo(parts(text, marks, settings(100, 1, 0, 5)).replaceAll("</?hi>", ""));
    }

    private static String parts(String text, List<Mark> marks, SnippetSettings settings) {
        return Highlighter.parts(text, marks, settings, Marking.DEFAULT);
    }

    private static SnippetSettings settings(int length, int matches, int least, int surround) {
        return new SnippetSettings(
                new SnippetSize(length, least, matches, surround),
                200,
                1_000,
                new StemMarking(5, 3),
                true);
    }

    private static SnippetSettings with(int window) {
        return new SnippetSettings(
                new SnippetSize(100, 0, 2, 10), window, 1_000, new StemMarking(5, 3), true);
    }

    private static String parts(String text, List<Mark> marks) {
        return parts(text, marks, SnippetSettings.DEFAULT);
    }

    private static List<Mark> marks(String text, String... words) {
        var marks = new ArrayList<Mark>();
        for (int at = 0; at < text.length(); at++) {
            for (int i = 0; i < words.length; i++) {
                if (text.startsWith(words[i], at)) {
                    marks.add(new Mark(at, at + words[i].length(), i));
                }
            }
        }
        return marks;
    }
}
