package org.crabro.content.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.crabro.content.match.TextMarks.Mark;
import org.junit.jupiter.api.Test;

class SnippetTest {
    private static final String FILLER = "lorem ipsum ".repeat(40);

    @Test
    void showsShortTextsWhole() {
        assertThat(Snippet.parts("a wonderful day", marks("a wonderful day", "wonderful")))
                .isEqualTo("a <hi>wonderful</hi> day");
    }

    @Test
    void showsTheBeginningWhereNothingIsFound() {
        String shown = Snippet.parts(FILLER, List.of());

        assertThat(shown).startsWith("lorem ipsum lorem").endsWith("lorem<sep />");
        assertThat(shown.length()).isBetween(256, 280);
    }

    @Test
    void showsWhatSurroundsTheWords() {
        String text = FILLER + "the needle here " + FILLER;

        String shown = Snippet.parts(text, marks(text, "needle"));

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

        String shown = Snippet.parts(text, marks(text, "one", "two"));

        assertThat(shown.split("<sep />", -1)).hasSize(4);
        assertThat(shown).startsWith("<hi>one</hi> lorem").contains("<hi>one</hi> <hi>two</hi>");
    }

    @Test
    void joinsPartsThatTouch() {
        String text = FILLER + "one " + "lorem ".repeat(36) + "two " + FILLER;

        String shown = Snippet.parts(text, marks(text, "one", "two"));

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

            String shown = Snippet.parts(whole, marks(whole, "needle"));

            String rest = whole;
            for (String part : shown.replaceAll("</?hi>", "").split("<sep />", -1)) {
                assertThat(rest).as("part %s, seed %d, round %d", part, seed, i).contains(part);
                rest = rest.substring(rest.indexOf(part) + part.length());
                assertThat(Character.isLowSurrogate(part.isEmpty() ? 'a' : part.charAt(0)))
                        .isFalse();
            }
            assertThat(whole.contains("needle")).isEqualTo(shown.contains("<hi>needle</hi>"));
        }
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
