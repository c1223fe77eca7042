package org.crabro.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CodeMapTest {
    @Test
    void acceptsNamesOfTypesAndPackages() {
        assertThat(
                        findings(
                                """
                                # Crabro
                                `View` and `View.Slice` are in `content.run`, below `content`.
                                `content.run.View` reads HTTP, `java.util`, Arena and `services.xml`.
                                """))
                .isEmpty();
    }

    @Test
    void namesAPackageThatIsNotThere() {
        assertThat(findings("`content.index`, then `content.graph.View`, `content.ru`\n"))
                .containsExactly(
                        "ARCHITECTURE.md: no such package: content.graph",
                        "ARCHITECTURE.md: no such package: content.index",
                        "ARCHITECTURE.md: no such package: content.ru");
    }

    @Test
    void namesATypeThatIsNotThere() {
        assertThat(findings("`content.run` `Fake`, `View.Range`, `HTTP`, Arena\n"))
                .containsExactly(
                        "ARCHITECTURE.md: no such type: Fake",
                        "ARCHITECTURE.md: no such type: View.Range");
    }

    @Test
    void asksForAShortPage() {
        assertThat(findings("more\n".repeat(250))).isEmpty();
        assertThat(findings("more\n".repeat(251)))
                .containsExactly("ARCHITECTURE.md: has 251 lines, at most 250 wanted");
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
