package org.crabro.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
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
    void findsAGapThatTheIndexDoesNotExplain() {
        assertThat(gaps("No record has the numbers 2, 3 and 5: they are reserved.")).isEmpty();
        assertThat(gaps("No record has the numbers 2 and 3."))
                .containsExactly(
                        "docs/README.md: does not explain that no record has the number 5");
        assertThat(gaps("1. 2. 3. 4. 5. 6.")).hasSize(3);
    }

    private static List<String> gaps(String index) {
        return DecisionRecords.findings(
                SourceTree.of(
                        Map.of(
                                "docs/README.md",
                                index,
                                "docs/adr/0001-one.md",
                                WHOLE,
                                "docs/adr/0004-four.md",
                                WHOLE,
                                "docs/adr/0006-six.md",
                                WHOLE)));
    }

    @Test
    void findsAMissingPart() {
        String text = WHOLE.replace("## Alternatives\n", "");

        assertThat(DecisionRecords.findings(SourceTree.of(Map.of("docs/adr/0001-one.md", text))))
                .containsExactly("docs/adr/0001-one.md: has no part '## Alternatives'");
    }
}
