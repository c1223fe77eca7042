package org.crabro.perf.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class PeerProgramsTest {
    private final PeerPrograms none = PeerPrograms.none("there is no python3");
    private final ScoreSheet scores =
            new ScoreSheet(new PrintStream(OutputStream.nullOutputStream()), none);

    @Test
    void readsTheLinesOfScripts() {
        PeerPrograms.add(
                "DuckDB", "measured\tnearest\t99.5\tqueries/s\t1.5\t2\t3\t-\t803.5", scores);
        PeerPrograms.add("DuckDB", "missing\tnearest\t1 of 16 results differ", scores);
        PeerPrograms.add("DuckDB", "a warning of a library", scores);
        PeerPrograms.add("DuckDB", "measured\tshort", scores);

        assertThat(scores.measured())
                .singleElement()
                .satisfies(each -> {
                    assertThat(each.program()).isEqualTo("DuckDB");
                    assertThat(each.rate()).isEqualTo(new Measured.Rate(99.5, "queries/s"));
                    assertThat(each.latency()).contains(new Measured.Latency(1.5, 2));
                    assertThat(each.cost().anonymousBytes()).isEmpty();
                    assertThat(each.cost().diskBytesPerDoc()).contains(803.5);
                });
        assertThat(scores.missing())
                .containsExactly(
                        new ScoreSheet.Missing("DuckDB", "nearest", "1 of 16 results differ"));
    }

    @Test
    void namesProgramsThatCannotBeInstalled() throws Exception {
        none.measure("mails", Path.of("unused"), new RunSize(true), scores);

        assertThat(scores.missing())
                .containsExactly(
                        new ScoreSheet.Missing("SQLite, FTS5", "mails", "there is no python3"),
                        new ScoreSheet.Missing("tantivy", "mails", "there is no python3"));
    }
}
