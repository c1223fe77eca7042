package org.crabro.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Each rule of compatibility is shown by a test, which {@code rules.tsv} names. */
class CompatibilityRulesTest {
    private static final SourceTree TREE =
            SourceTree.of(
                    Map.of(
                            "config/src/test/java/org/crabro/config/KeptTest.java",
                            """
                            class KeptTest {
                                @Test
                                void isKept() throws Exception {
                                    check();
                                }

                                @ParameterizedTest
                                @CsvSource(
                                        textBlock =
                                                \"""
                                                void notKept() { }
                                                \""")
                                void isKeptTwice(String text) {}

                                @TestFactory
                                List<DynamicTest> isKeptOften() {
                                    return List.of();
                                }

                                private void check() {}
                            }
                            """,
                            "config/src/main/java/org/crabro/config/Kept.java",
                            "class Kept {\n    @Test\n    void isKept() {}\n}\n"));

    @Test
    void eachRuleHasATestThatExists() throws IOException {
        CompatibilityTable table = CompatibilityTable.read();
        List<String> findings = table.findings(SourceTree.ofRepository());

        assertThat(table.rows()).hasSizeGreaterThan(100);
        if (!findings.isEmpty()) {
            fail(
                    "docs/src/test/resources/%s:\n%s",
                    CompatibilityTable.FILE, String.join("\n", findings));
        }
    }

    @Test
    void findsTestsOfEveryKind() {
        assertThat(
                        findings(
                                "1\tone rule\tKeptTest.isKept",
                                "1\tanother\tKeptTest.isKeptTwice, KeptTest.isKeptOften"))
                .isEmpty();
    }

    @Test
    void saysWhichTestsDoNotExist() {
        assertThat(
                        findings(
                                "1\ta rule\tKeptTest.isLost,KeptTest.check,Kept.isKept,KeptTest.notKept"))
                .extracting(line -> line.substring(0, line.indexOf(':')))
                .containsExactly(
                        "there is no test KeptTest.isLost",
                        "there is no test KeptTest.check",
                        "there is no test Kept.isKept",
                        "there is no test KeptTest.notKept");
    }

    @Test
    void saysWhatIsWrongWithTheTable() {
        assertThat(
                        findings(
                                "2\ta rule\tKeptTest.isKept",
                                "# explained",
                                "1\ta rule\tKeptTest.isKept",
                                "1\tno test\t"))
                .containsExactly(
                        "sort the lines by section",
                        "the rule is there twice: 1\ta rule\tKeptTest.isKept",
                        "no test shows the rule: 1\tno test\t");
    }

    @Test
    void refusesLinesWithoutAllCells() {
        assertThatThrownBy(() -> CompatibilityTable.of(List.of("1\ta rule")))
                .hasMessageContaining("expected the number of a section, a rule and tests");
    }

    private static List<String> findings(String... lines) {
        return CompatibilityTable.of(List.of(lines)).findings(TREE);
    }
}
