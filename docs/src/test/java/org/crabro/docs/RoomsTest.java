package org.crabro.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RoomsTest {
    private static final String PACKAGE =
            "content/storage/src/main/java/org/crabro/content/storage/run/";
    private static final String INFO =
            "/** Runs. */\n@NullMarked\npackage org.crabro.content.storage.run;";

    @Test
    void isContentWithAPackageThatSaysWhatItIs() {
        assertThat(findings(PACKAGE + "Run.java", "", PACKAGE + "package-info.java", INFO))
                .isEmpty();
    }

    @Test
    void namesAPackageWithoutInfo() {
        assertThat(findings(PACKAGE + "Run.java", ""))
                .containsExactly(
                        "content/storage/src/main/java/org/crabro/content/storage/run: package-info.java is"
                                + " missing");
    }

    @Test
    void letsTestsAndBenchmarksLieInThePackageOfWhatTheyAreAbout() {
        assertThat(
                        findings(
                                PACKAGE + "package-info.java",
                                INFO,
                                "content/storage/src/test/java/org/crabro/content/storage/run/RunTest.java",
                                "",
                                "perf/src/main/java/org/crabro/content/storage/run/RunBenchmark.java",
                                ""))
                .isEmpty();
    }

    @Test
    void limitsTheFilesOfAPackage() {
        var texts = new HashMap<String, String>();
        texts.put(PACKAGE + "package-info.java", INFO);
        for (int i = 1; i < 60; i++) {
            texts.put(PACKAGE + "Run" + i + ".java", "");
        }
        assertThat(Rooms.findings(SourceTree.of(texts))).isEmpty();

        texts.put(PACKAGE + "Run60.java", "");

        assertThat(Rooms.findings(SourceTree.of(texts)))
                .containsExactly(
                        "content/storage/src/main/java/org/crabro/content/storage/run: 61 files, at most 60");
    }

    @Test
    void limitsTheFilesOfAPackageOfTests() {
        var texts = new HashMap<String, String>();
        texts.put(PACKAGE + "package-info.java", INFO);
        for (int i = 0; i < 61; i++) {
            texts.put(
                    "content/storage/src/test/java/org/crabro/content/storage/run/Run"
                            + i
                            + "Test.java",
                    "");
        }

        assertThat(Rooms.findings(SourceTree.of(texts)))
                .containsExactly(
                        "content/storage/src/test/java/org/crabro/content/storage/run: 61 files, at most 60");
    }

    @Test
    void asksForNullMarkedAndAComment() {
        assertThat(
                        findings(
                                PACKAGE + "package-info.java",
                                "package org.crabro.content.storage.run;"))
                .containsExactly(
                        PACKAGE + "package-info.java: @NullMarked is missing",
                        PACKAGE
                                + "package-info.java: does not begin with a comment on what the"
                                + " package is");
    }

    @Test
    void findsAPackageInTheWrongModule() {
        String path = "protocol/src/main/java/org/crabro/content/storage/run/package-info.java";

        assertThat(findings(path, INFO))
                .containsExactly(path + ": the module protocol holds only [org.crabro.protocol]");
    }

    @Test
    void doesNotTakeALongerNameForTheRoom() {
        String path = "content/storage/src/main/java/org/crabro/content/storages/package-info.java";

        assertThat(findings(path, INFO)).hasSize(1);
    }

    private static List<String> findings(String... pathsAndTexts) {
        var texts = new HashMap<String, String>();
        for (int i = 0; i < pathsAndTexts.length; i += 2) {
            texts.put(pathsAndTexts[i], pathsAndTexts[i + 1]);
        }
        return Rooms.findings(SourceTree.of(Map.copyOf(texts)));
    }
}
