package org.crabro.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FileSizesTest {
    private static final String FOLDER = "content/src/main/java/org/crabro/content/";

    @Test
    void countsPerModuleAndNamesLongFiles() {
        SourceTree tree =
                SourceTree.of(
                        Map.of(
                                FOLDER + "A.java",
                                "line\n".repeat(10),
                                FOLDER + "B.java",
                                "line\n".repeat(20),
                                FOLDER + "C.java",
                                "line\n".repeat(700),
                                FOLDER + "package-info.java",
                                "line\n"));

        assertThat(FileSizes.table(tree).lines())
                .containsExactly(
                        "module         files  lines  half below  9 of 10 below  longest",
                        "content            3    730          20             20      700",
                        "   700  content/src/main/java/org/crabro/content/C.java");
    }

    @Test
    void roundsLongClassesUpAndKeepsLimitsThatFit() {
        SourceTree tree =
                SourceTree.of(
                        Map.of(
                                FOLDER + "Short.java",
                                "line\n".repeat(500),
                                FOLDER + "Added.java",
                                "line\n".repeat(501),
                                FOLDER + "Fits.java",
                                "line\n".repeat(600),
                                FOLDER + "Risen.java",
                                "line\n".repeat(701),
                                FOLDER + "Fallen.java",
                                "line\n".repeat(550)));

        assertThat(
                        FileSizes.longClasses(
                                tree, List.of("Fallen 700", "Fits 700", "Risen 700", "Short 600")))
                .containsExactly("Added 600", "Fallen 600", "Fits 700", "Risen 800");
    }
}
