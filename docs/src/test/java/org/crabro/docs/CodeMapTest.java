package org.crabro.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CodeMapTest {
    @Test
    void isContentWithAMapThatNamesEverything() {
        assertThat(
                        findings(
                                """
                                # Crabro
                                ## Code map
                                - `content.run` - which bytes lie where? `View`, `View.Slice`
                                """))
                .isEmpty();
    }

    @Test
    void namesAPackageThatTheMapLacks() {
        assertThat(findings("## Code map\n"))
                .containsExactly("ARCHITECTURE.md: the code map lacks the package content.run");
    }

    @Test
    void namesAPackageThatIsNotThere() {
        assertThat(findings("## Code map\n- `content.run`\n- `content.index` - later\n"))
                .containsExactly(
                        "ARCHITECTURE.md: the code map names a package that is not there:"
                                + " content.index");
    }

    @Test
    void readsPackagesInTheMapAlone() {
        assertThat(findings("## Code map\n- `content.run`\n## Threads\n- `not.a.package`\n"))
                .isEmpty();
        assertThat(findings("## Threads\n- `content.run`\n")).hasSize(1);
    }

    @Test
    void namesATypeThatIsNotThere() {
        assertThat(findings("## Code map\n- `content.run` `Fake`, `View.Range`, `HTTP`, Arena\n"))
                .containsExactly(
                        "ARCHITECTURE.md: no such type: Fake",
                        "ARCHITECTURE.md: no such type: View.Range");
    }

    @Test
    void asksForAShortPage() {
        assertThat(findings("## Code map\n- `content.run`\n" + "more\n".repeat(398)))
                .containsExactly("ARCHITECTURE.md: has 400 lines, below 400 wanted");
    }

    private static List<String> findings(String page) {
        return CodeMap.findings(
                SourceTree.of(
                        Map.of(
                                "ARCHITECTURE.md",
                                page,
                                "content/src/main/java/org/crabro/content/run/View.java",
                                "public record View(int n) { enum Slice {} }",
                                "content/src/test/java/org/crabro/content/testing/Fake.java",
                                "class Fake {}")));
    }
}
