package org.crabro.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.crabro.docs.Refusal.Effect;
import org.crabro.docs.Refusal.Stage;
import org.crabro.docs.RefusalTable.Verdict;
import org.junit.jupiter.api.Test;

/**
 * What the reference accepts is accepted. So each message with which deployment, feeding and
 * queries refuse or warn has a line in {@code refusals.tsv}, which says why.
 */
class RefusalsTest {

    @Test
    void eachMessageHasItsLine() throws IOException {
        RefusalTable table = RefusalTable.read();
        List<String> findings = table.findings(RefusalScan.of(SourceTree.ofRepository()));

        System.out.print(table.counts());
        if (!findings.isEmpty()) {
            fail("docs/src/test/resources/%s:\n%s", RefusalTable.FILE, String.join("\n", findings));
        }
    }

    @Test
    void newMessagesAreComparedWithTheReference() throws IOException {
        assertThat(RefusalTable.read().count(row -> row.verdict() == Verdict.NOT_REVIEWED))
                .isZero();
    }

    @Test
    void findsTextsOfThreeWords() throws IOException {
        assertThat(
                        scan(
                                """
                                throw new BadException("too short", "a text" + count + " of " + "words");
                                """))
                .containsExactly(refused("a text%s of words"));
    }

    @Test
    void findsTheTextOfWhatIsFormatted() throws IOException {
        assertThat(
                        scan(
                                """
                                return Optional.of(("there is no '%s'" + hint).formatted("this is left out"));
                                """))
                .containsExactly(refused("there is no '%s'%s"));
    }

    @Test
    void findsEachTextOfAChoice() throws IOException {
        assertThat(
                        scan(
                                """
                                problem(at, many ? "there are too many" : "there is \\n none\\t");
                                """))
                .containsExactly(refused("there are too many"), refused("there is \\n none\\t"));
    }

    @Test
    void distinguishesWarningsFromRefusals() throws IOException {
        assertThat(
                        scan(
                                """
                                cursor.warnWhereStreaming(at, "this has no effect");
                                findings.inform("this is not used");
                                """))
                .containsExactly(
                        new Refusal(Stage.DEPLOY, Effect.WARNED, "this has no effect"),
                        new Refusal(Stage.DEPLOY, Effect.WARNED, "this is not used"));
    }

    @Test
    void leavesOutDefectsLogsAndAssertions() throws IOException {
        assertThat(
                        scan(
                                """
                                assert count > 0 : "this is a defect";
                                LOG.info("this is no message");
                                throw new IllegalStateException("this is a defect");
                                """))
                .isEmpty();
    }

    @Test
    void leavesOutPackagesWhoseTextsUsersDoNotSee() throws IOException {
        assertThat(
                        RefusalScan.of(
                                SourceTree.of(
                                        Map.of(
                                                "content/src/main/java/org/crabro/content/A.java",
                                                "class A { String a = \"a text of words\"; }"))))
                .isEmpty();
    }

    @Test
    void saysWhichLinesToAddRemoveAndSort() {
        RefusalTable table =
                RefusalTable.of(
                        List.of(
                                "# explained",
                                "deploy\trefused\tlimit\tmore than %d words\t",
                                "deploy\trefused\tas the reference\ta field is missing\tno default",
                                "deploy\trefused\tlimit\tmore than %d words\tagain"));

        assertThat(
                        table.findings(
                                new TreeSet<>(
                                        List.of(
                                                refused("more than %d words"),
                                                refused("a new refusal")))))
                .containsExactly(
                        "remove, it is there twice: deploy\trefused\tlimit\tmore than %d words\tagain",
                        "sort the lines by stage, effect and message",
                        "add: deploy\trefused\tnot reviewed\ta new refusal\t",
                        "remove, it is not in the code: deploy\trefused\tas the reference\ta field is missing\tno default");
    }

    @Test
    void whatIsNotBuiltSaysSo() {
        RefusalTable table =
                RefusalTable.of(
                        List.of(
                                "query\trefused\taccepted\tis not accepted\t",
                                "query\trefused\tnot built\tit is not built\t",
                                "query\trefused\tnot built\tno such thing\t",
                                "query\twarned\tnot built\twithout any effect\t"));

        assertThat(
                        table.findings(
                                new TreeSet<>(
                                        table.rows().stream()
                                                .map(RefusalTable.Row::refusal)
                                                .toList())))
                .containsExactly(
                        "what is refused is not accepted: query\trefused\taccepted\tis not accepted\t",
                        "the message must say 'not built': query\trefused\tnot built\tno such thing\t");
    }

    @Test
    void refusesLinesWithoutAllCells() {
        assertThatThrownBy(() -> RefusalTable.of(List.of("deploy\trefused")))
                .hasMessageContaining("expected stage, effect, verdict, message and reason");
    }

    private static SortedSet<Refusal> scan(String statements) throws IOException {
        return RefusalScan.of(
                SourceTree.of(
                        Map.of(
                                "m/src/main/java/org/crabro/config/A.java",
                                "package org.crabro.config; class A { void a() { %s } }"
                                        .formatted(statements))));
    }

    private static Refusal refused(String message) {
        return new Refusal(Stage.DEPLOY, Effect.REFUSED, message);
    }
}
