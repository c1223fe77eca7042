package org.crabro.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class DecisionRecordsTest {
    private static final String WHOLE =
            """
            # 1. Something
            ## Context
            ## Decision
            ## Alternatives
            ## Consequences
            """;

    @Test
    void isContentWithAWholeRecord() {
        assertThat(
                        DecisionRecords.findings(
                                SourceTree.of(
                                        Map.of(
                                                "docs/adr/0001-one.md",
                                                WHOLE,
                                                "docs/formats/run.md",
                                                ""))))
                .isEmpty();
    }

    @Test
    void findsANumberGivenTwiceAndAWrongName() {
        assertThat(
                        DecisionRecords.findings(
                                SourceTree.of(
                                        Map.of(
                                                "docs/adr/0001-one.md",
                                                WHOLE,
                                                "docs/adr/0001-two.md",
                                                WHOLE,
                                                "docs/adr/Third.md",
                                                WHOLE))))
                .containsExactly(
                        "docs/adr/0001-two.md: has the number of docs/adr/0001-one.md",
                        "docs/adr/Third.md: not named like 0007-what-was-decided.md");
    }

    @Test
    void findsAMissingPart() {
        String text = WHOLE.replace("## Alternatives\n", "");

        assertThat(DecisionRecords.findings(SourceTree.of(Map.of("docs/adr/0001-one.md", text))))
                .containsExactly("docs/adr/0001-one.md: has no part '## Alternatives'");
    }
}
