package org.crabro.perf.scoreboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import javax.xml.parsers.DocumentBuilderFactory;
import org.crabro.perf.harness.Measured;
import org.crabro.perf.harness.PeerPrograms;
import org.crabro.perf.harness.RunSize;
import org.crabro.perf.harness.ScoreSheet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.xml.sax.InputSource;

class ResultsPageTest {
    private static final String TASK = "nearest of 1,000 vectors";

    @TempDir private Path folder;

    private static ScoreSheet scores() {
        var scores =
                new ScoreSheet(
                        new PrintStream(OutputStream.nullOutputStream()),
                        PeerPrograms.none("none"));
        scores.add(
                new Measured(
                        TASK,
                        Measured.CRABRO,
                        new Measured.Rate(9_000, "queries/s"),
                        Optional.of(new Measured.Latency(0.2, 1.5)),
                        new Measured.Cost(
                                Optional.of(0.17),
                                Optional.of(500e6),
                                Optional.of(0.0),
                                Optional.of(802.0)),
                        Optional.of(new Measured.Limit("memory read", 36_000))));
        scores.add(other("slow <&> one", 100));
        scores.add(other("fast", 20_000));
        scores.miss("absent", "vectors", "no | python3\nhere");
        return scores;
    }

    private static Measured other(String program, double rate) {
        return new Measured(
                TASK,
                program,
                new Measured.Rate(rate, "queries/s"),
                Optional.empty(),
                Measured.Cost.UNKNOWN,
                Optional.empty());
    }

    private static ResultsPage page(boolean isQuick) {
        return new ResultsPage("amd-epyc-2-cores", new RunSize(isQuick), List.of("processor X"), 2);
    }

    @Test
    void showsFiguresBesideLimitTargetAndOtherPrograms() {
        assertThat(page(false).text(scores(), "2026-12-01"))
                .contains(
                        "| nearest of 1,000 vectors | 9,000 queries/s | 20,000 | memory read, 36,000 | 0.25 | fast 20,000; slow <&> one 100 |\n",
                        "| nearest of 1,000 vectors | Crabro | 9,000 queries/s | 0.20 | 1.50 | 0.17 | 500 | 0.00 | 802 |\n",
                        "| nearest of 1,000 vectors | fast | 20,000 queries/s | – | – | – | – | – | – |\n",
                        "| absent | vectors | no \\| python3 here |\n")
                .doesNotContain("quick");
    }

    @Test
    void saysThatAQuickRunIsNoResult() {
        assertThat(page(true).text(scores(), "2026-12-01"))
                .contains("They are not results to publish.");
    }

    @Test
    void writesPageAndWellFormedPlot() throws Exception {
        page(true).write(folder, scores());

        String svg = Files.readString(folder.resolve("results-amd-epyc-2-cores.svg"));
        assertThat(rectangles(svg)).isEqualTo(4);
        assertThat(svg).contains("slow &lt;&amp;&gt; one");
        assertThat(folder.resolve("results-amd-epyc-2-cores.md")).exists();
    }

    private static int rectangles(String svg) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(svg)))
                .getElementsByTagName("rect")
                .getLength();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    AMD EPYC                                 | 2  | amd-epyc-2-cores
                    Intel(R) Xeon(R) CPU @ 2.20GHz           | 1  | intel-xeon-1-core
                    AMD EPYC 7B13 64-Core Processor          | 64 | amd-epyc-7b13-64-cores
                    ../../etc/passwd                         | 2  | etc-passwd-2-cores
                    §                                        | 2  | unknown-2-cores
                    """)
    void namesMachinesByTheirProcessor(String processor, int cores, String name) {
        assertThat(ResultsName.of(processor, cores)).isEqualTo(name);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    --quick --full      | the scoreboard does not take --full
                    --quick --only none | there is no workload none
                    --quick --only      | the scoreboard does not take --only
                    """)
    void rejectsUnknownOptions(String line, String message) throws Exception {
        var printed = new ByteArrayOutputStream();

        int status =
                Scoreboard.run(
                        List.of(line.split(" ", -1)),
                        new PrintStream(printed, true, StandardCharsets.UTF_8));

        assertThat(status).isEqualTo(2);
        assertThat(printed.toString(StandardCharsets.UTF_8).strip()).isEqualTo(message);
    }

    @Test
    void isAskedWithoutANameOnly() {
        assertThat(Scoreboard.isAsked(List.of())).isTrue();
        assertThat(Scoreboard.isAsked(List.of("--quick"))).isTrue();
        assertThat(Scoreboard.isAsked(List.of("--list"))).isFalse();
        assertThat(Scoreboard.isAsked(List.of("personal"))).isFalse();
    }
}
