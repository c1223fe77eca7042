package org.crabro.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TypePlacesTest {
    private static final String WRONG = "docs/store.md: no type View in org.crabro.content.run";

    @Test
    void acceptsTypesInTheirPackages() {
        assertThat(findings("docs/store.md", "`View` in `content.read`, `content.run.Run.Slice`"))
                .isEmpty();
        assertThat(findings("docs/store.md", "`View` in `org.crabro.content.read`")).isEmpty();
    }

    @Test
    void namesATypeInAnotherPackage() {
        assertThat(findings("docs/store.md", "`View` in `content.run`")).containsExactly(WRONG);
        assertThat(findings("docs/store.md", "`content.run.View`")).containsExactly(WRONG);
    }

    @Test
    void ignoresPackagesOfOthersAndThePast() {
        assertThat(findings("docs/store.md", "`java.util.List`, `Tokenizer` in `lucene`"))
                .isEmpty();
        assertThat(findings("docs/adr/0001-a.md", "`View` in `content.run`")).isEmpty();
    }

    private static List<String> findings(String path, String page) {
        return TypePlaces.findings(
                SourceTree.of(
                        Map.of(
                                path,
                                page,
                                "content/src/main/java/org/crabro/content/read/View.java",
                                "record View(int n) {}",
                                "content/src/main/java/org/crabro/content/run/Run.java",
                                "record Run(int n) { enum Slice {} }")));
    }
}
