package org.crabro.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RecipesTest {
    @Test
    void acceptsWhatExists() {
        assertThat(
                        findings(
                                """
                                `content.run` has `View`, `View.rows` and `View.Slice`. `ViewTest` tests it.
                                `content/src/main`, `content/NAME.txt`, `names.tsv`, `docs/names.tsv`, `mvn x`,
                                `java.util`, `VERSION` and `switch`
                                """))
                .isEmpty();
    }

    @Test
    void namesWhatDoesNotExist() {
        assertThat(
                        findings(
                                "`content.walk` `Fake` `View.columns` `content/src/gone` `gone/NAME.txt`"
                                        + " `other.tsv`"))
                .containsExactly(
                        "CONTRIBUTING.md: no file content/src/gone",
                        "CONTRIBUTING.md: no file gone/NAME.txt",
                        "CONTRIBUTING.md: no file other.tsv",
                        "CONTRIBUTING.md: no package content.walk",
                        "CONTRIBUTING.md: no type or member Fake",
                        "CONTRIBUTING.md: no type or member View.columns");
    }

    private static List<String> findings(String recipes) {
        return Recipes.findings(
                SourceTree.of(
                        Map.of(
                                "CONTRIBUTING.md",
                                "# Changing\n`Gone`\n\n## Recipes\n\n" + recipes,
                                "docs/names.tsv",
                                "",
                                "content/src/main/java/org/crabro/content/run/View.java",
                                "public record View(int rows) { enum Slice {} }",
                                "content/src/test/java/org/crabro/content/run/ViewTest.java",
                                "class ViewTest {}")));
    }
}
