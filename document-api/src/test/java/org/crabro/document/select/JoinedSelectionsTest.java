package org.crabro.document.select;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import org.crabro.document.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Selections that are joined are not changed by the text of each other. */
class JoinedSelectionsTest {
    /** Texts that would change a condition before or after them, if texts were joined. */
    private static final List<String> HOSTILE =
            List.of(
                    "true) or (true",
                    "true) or not (false",
                    "music) or (music",
                    ") or (",
                    "true)",
                    "(true",
                    "true) or id.group == \"x\" or (\"a\" == \"a\"",
                    "true or",
                    "or true",
                    "not",
                    "\"",
                    "id.group == \"a",
                    "id.group == \"a\\",
                    "1 == 1) or ('a' == 'a",
                    "true //",
                    "true /* ",
                    "true #",
                    "true; true",
                    "true\u0000) or (true");

    /** Selections with what is special in other places. */
    private static final List<String> VALID =
            List.of(
                    "music",
                    "music or true",
                    "true or false and false",
                    "not music",
                    "music.title == \") or (true\"",
                    "music.title == ') or (true'",
                    "music.title == \"\\\") or (true\"",
                    "(((music)))",
                    "1 + 2 == 3",
                    "id.group == \"a\" or id.group == \"b\"",
                    "false");

    private static final List<Document> DOCUMENTS =
            List.of(
                    Music.document("id:ns:music:g=a:1"),
                    Music.document("id:ns:music:g=b:1"),
                    Music.document("id:ns:music:g=c:1"),
                    Music.document("id:ns:music::1"));

    private static Selection parsed(String text) {
        return Selection.parse(text, Music.TYPES);
    }

    private static Truth of(Selection selection, Document document) {
        return selection.of(SelectedDocument.of(document), 1_000);
    }

    @Test
    void aTextThatClosesMoreThanItOpensIsNoSelection() {
        for (String text : HOSTILE) {
            assertThatExceptionOfType(InvalidSelectionException.class)
                    .as(text)
                    .isThrownBy(() -> parsed(text));
        }
    }

    @Test
    void documentsAreSelectedByEachPart() {
        for (String first : VALID) {
            for (String second : VALID) {
                Selection both =
                        Selection.allOf(List.of(parsed(first), parsed(second)), Music.TYPES);
                // Nodes parse the text.
                Selection sent = Selection.parseConjunction(both.toString(), Music.TYPES);
                for (Document document : DOCUMENTS) {
                    boolean expected =
                            of(parsed(first), document) == Truth.TRUE
                                    && of(parsed(second), document) == Truth.TRUE;
                    assertThat(of(both, document) == Truth.TRUE)
                            .as("%s of %s", both, document.id())
                            .isEqualTo(expected);
                    assertThat(of(sent, document)).isEqualTo(of(both, document));
                    assertThat(both.places()).isEqualTo(sent.places());
                }
            }
        }
    }

    @Test
    void aNegationIsThatOfTheWholeSelection() {
        for (String text : VALID) {
            Selection negated = parsed(text).negated();
            Selection sent = Selection.parseConjunction(negated.toString(), Music.TYPES);
            for (Document document : DOCUMENTS) {
                Truth truth = of(parsed(text), document);
                Truth expected =
                        switch (truth) {
                            case TRUE -> Truth.FALSE;
                            case FALSE -> Truth.TRUE;
                            case INVALID -> Truth.INVALID;
                        };
                assertThat(of(negated, document)).as(text).isEqualTo(expected);
                assertThat(of(sent, document)).as(text).isEqualTo(expected);
            }
        }
        assertThat(of(parsed("").negated(), DOCUMENTS.getFirst())).isEqualTo(Truth.FALSE);
    }

    @Test
    void anEmptyPartSelectsEverything() {
        Selection music = parsed("music");

        assertThat(Selection.allOf(List.of(parsed(" "), music), Music.TYPES)).isSameAs(music);
        assertThat(Selection.allOf(List.of(), Music.TYPES).toString()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {Selection.LENGTH_MAX - 5, Selection.LENGTH_MAX})
    void rejectsPartsThatAreTooLongTogether(int length) {
        Selection longest = parsed("music" + " ".repeat(length - 5));

        assertThatExceptionOfType(InvalidSelectionException.class)
                .isThrownBy(() -> Selection.allOf(List.of(longest, parsed("music")), Music.TYPES))
                .withMessageContaining("Expected at most 1048576 characters");
        assertThatExceptionOfType(InvalidSelectionException.class).isThrownBy(longest::negated);
    }
}
