package org.crabro.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ProseTest {
    private static final String PAGE =
            """
            # A heading that lies here and is not a sentence

            The store writes 0.5 MB
            to `a b c`. Then it stops: [a link of words](x.md) ends it.

            - One item
            - another! With two sentences

            | a table | nobody counts its words |
            |---|---|

            ```
            whoever reads code. It is not counted.
            ```
            """;

    @Test
    void countsSentencesOfParagraphsAndLists() {
        Prose prose = Prose.of(PAGE);

        assertThat(prose.sentences())
                .containsExactly(
                        "The store writes 0.5 MB to code.",
                        "Then it stops: a link of words ends it.",
                        "One item",
                        "another!",
                        "With two sentences");
        assertThat(prose.longest()).isEqualTo(9);
        assertThat(prose.average()).isEqualTo(22 / 5.0);
    }

    @Test
    void countsTheIdiomOutsideOfCode() {
        assertThat(Prose.of(PAGE).idioms()).containsExactly("lies", "nobody");
    }

    @Test
    void namesPagesThatAreNotPlain() {
        var tree =
                SourceTree.of(
                        Map.of(
                                "README.md",
                                "word ".repeat(40),
                                "docs/long.md",
                                "Short one. Short two. " + "word ".repeat(41),
                                "docs/idiom.md",
                                "It stands here. Nobody lies."));

        assertThat(Prose.findings(tree))
                .satisfiesExactly(
                        finding -> assertThat(finding).startsWith("README.md: 40.0 words"),
                        finding ->
                                assertThat(finding)
                                        .startsWith("docs/idiom.md: ")
                                        .endsWith("idioms [stands, nobody, lies], at most 2"),
                        finding -> assertThat(finding).startsWith("docs/long.md: "));
    }
}
