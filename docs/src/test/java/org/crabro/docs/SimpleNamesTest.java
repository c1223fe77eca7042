package org.crabro.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class SimpleNamesTest {
    private static final String CONTENT = "content/src/main/java/org/crabro/content/";
    private static final String RANKING = "ranking/src/main/java/org/crabro/ranking/";

    @Test
    void findsANameOfTwoFiles() {
        SourceTree tree =
                SourceTree.of(
                        Map.of(
                                CONTENT + "Glob.java", "",
                                CONTENT + "Run.java", "",
                                RANKING + "Glob.java", ""));

        assertThat(SimpleNames.findings(tree))
                .containsExactly(
                        "Glob.java is the name of 2 files: %sGlob.java, %sGlob.java"
                                .formatted(CONTENT, RANKING));
    }

    @Test
    void leavesOutTestsAndPackageInfos() {
        SourceTree tree =
                SourceTree.of(
                        Map.of(
                                CONTENT + "Glob.java", "",
                                CONTENT.replace("main", "test") + "Glob.java", "",
                                CONTENT + "package-info.java", "",
                                RANKING + "package-info.java", ""));

        assertThat(SimpleNames.findings(tree)).isEmpty();
    }
}
