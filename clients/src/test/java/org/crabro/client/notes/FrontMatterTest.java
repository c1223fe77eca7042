package org.crabro.client.notes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Notes in, values and texts out. */
class FrontMatterTest {
    private static PlainScalar plain(String text) {
        return new PlainScalar(text);
    }

    @Test
    void readsValuesBeforeANote() throws Exception {
        Optional<FrontMatter> front =
                FrontMatter.of(
                        """
                        ---
                        title: "A boat: the first"
                        date: 2024-05-01
                        tags: [sea, 'wind']
                        # a comment
                        author:
                          name: Ann
                          born: ~
                        list:
                        - 1
                        - null
                        text: |
                          two
                          lines
                        version: !!str 1.50
                        ---
                        # Boat
                        """);

        assertThat(front).isPresent();
        assertThat(front.get().text()).isEqualTo("# Boat\n");
        assertThat(front.get().values())
                .isEqualTo(
                        Map.of(
                                "title", "A boat: the first",
                                "date", plain("2024-05-01"),
                                "tags", List.of(plain("sea"), "wind"),
                                "author", Map.of("name", plain("Ann")),
                                "list", List.of(plain("1"), Optional.empty()),
                                "text", "two\nlines\n",
                                "version", "1.50"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "---",
                "text\n---\na: 1\n---\n",
                "----\na: 1\n---\n",
                "---\nno end: here\n",
                "---\n\nA line between two rules.\n\n---\nmore",
                "---\n- a list\n---\n",
                "---\n---\n",
                " ---\na: 1\n---\n"
            })
    void returnsNothingForOtherNotes(String note) throws Exception {
        assertThat(FrontMatter.of(note)).isEmpty();
    }

    @Test
    void endsWithDotsOrLineEndsOfWindows() throws Exception {
        assertThat(FrontMatter.of("---\r\na: 1\r\n...\r\nrest").orElseThrow())
                .isEqualTo(new FrontMatter(Map.of("a", plain("1")), "rest"));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "a: b: c              | mapping values are not allowed here in line 2",
                "a: 1;a: 2            | the name 'a' twice",
                "a: &x 1;b: *x        | an alias, which is not read",
                "? [a];: 1            | a list or a map as the name of a value",
            })
    void rejectsWhatItDoesNotRead(String yaml, String message) {
        assertThatThrownBy(() -> FrontMatter.of("---\n" + yaml.replace(';', '\n') + "\n---\n"))
                .isInstanceOf(FrontMatterException.class)
                .hasMessage(message);
    }

    @Test
    void endsAtItsLimits() {
        assertThatThrownBy(() -> FrontMatter.of("---\na: " + "[".repeat(60_000) + "\n---\n"))
                .isInstanceOf(FrontMatterException.class)
                .hasMessage("more than 20 lists and maps inside each other");
        assertThatThrownBy(() -> FrontMatter.of("---\n" + "a: x\n".repeat(20_000) + "---\n"))
                .hasMessage("more than 65,536 characters");
        assertThatThrownBy(() -> FrontMatter.of("---\na: [" + "1,".repeat(20_000) + "]\n---\n"))
                .hasMessage("more than 10,000 values");
        assertThatThrownBy(() -> FrontMatter.of("---\na: " + "{a: ".repeat(10_000) + "\n---\n"))
                .isInstanceOf(FrontMatterException.class);
        // Each alias would double the values.
        assertThatThrownBy(() ->
                        FrontMatter.of(
                                """
                                ---
                                a: &a [x, x]
                                b: &b [*a, *a]
                                c: [*b, *b]
                                ---
                                """))
                .hasMessage("an alias, which is not read");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "# Boat           | Boat",
                "x;;## A # b ##   | A # b",
                "Boat;====        | Boat",
                "```;# no;```;# yes | yes",
                "#tag;# Boat      | Boat",
                "text             | none",
                "====             | none",
                "# #              | none",
            })
    void findsTheFirstHeading(String text, String title) {
        assertThat(NoteTitle.of(text.strip().replace(';', '\n')).orElse("none")).isEqualTo(title);
    }
}
