package org.crabro.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DependencyNotesTest {
    private static final String POM =
            """
            <dependencyManagement>
              <dependency>
                <groupId>org.crabro</groupId>
                <artifactId>ranking</artifactId>
              </dependency>
              <dependency>
                <groupId>org.slf4j</groupId>
                <artifactId>slf4j-api</artifactId>
                <exclusions><groupId>*</groupId> <artifactId>*</artifactId></exclusions>
              </dependency>
            </dependencyManagement>
            <plugin>
              <groupId>org.apache</groupId>
              <artifactId>maven-jar-plugin</artifactId>
            </plugin>
            """;

    @Test
    void isContentWithALinePerLibrary() {
        assertThat(findings("| `slf4j-api` | logs |")).isEmpty();
    }

    @Test
    void namesALibraryWithoutALine() {
        assertThat(findings("the library `slf4j-api` in a sentence"))
                .containsExactly("docs/dependencies.md: no line for `slf4j-api`");
    }

    @Test
    void namesALineWithoutALibrary() {
        assertThat(findings("| library |\n|---|\n| `slf4j-api`, `gone` (a word) | `logs` |"))
                .containsExactly(
                        "docs/dependencies.md: has a line for a library not in pom.xml: `gone`");
    }

    private static List<String> findings(String page) {
        return DependencyNotes.findings(
                SourceTree.of(Map.of("pom.xml", POM, "docs/dependencies.md", page)));
    }
}
