package org.crabro.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class FileSizesTest {
    @Test
    void countsPerModuleAndNamesLongFiles() {
        String folder = "content/src/main/java/org/crabro/content/";
        SourceTree tree =
                SourceTree.of(
                        Map.of(
                                folder + "A.java",
                                "line\n".repeat(10),
                                folder + "B.java",
                                "line\n".repeat(20),
                                folder + "C.java",
                                "line\n".repeat(700),
                                folder + "package-info.java",
                                "line\n"));

        assertThat(FileSizes.table(tree).lines())
                .containsExactly(
                        "module         files  lines  half below  9 of 10 below  longest",
                        "content            3    730          20             20      700",
                        "   700  content/src/main/java/org/crabro/content/C.java");
    }

    @Test
    void longClassesStateTheirReason() {
        String folder = "content/src/main/java/org/crabro/content/";
        String code = "line\n".repeat(500);
        SourceTree tree =
                SourceTree.of(
                        Map.of(
                                folder + "A.java",
                                code,
                                folder + "B.java",
                                "/**\n * It is one class\n * because of a table.\n */\n" + code,
                                folder + "C.java",
                                "/** A table. */\n" + code));

        assertThat(FileSizes.findings(tree))
                .containsExactly(
                        "content/src/main/java/org/crabro/content/C.java: more than 500 lines, and"
                                + " no 'It is one class because …'");
    }
}
