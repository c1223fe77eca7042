package org.crabro.samples.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.crabro.client.cli.ServerProcess;
import org.crabro.samples.fixture.Http;
import org.crabro.samples.fixture.NotesApplication;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server process whose journal fails because its directory is gone. */
class ExitOnFailureIT {
    private static final Duration LONG = Duration.ofMinutes(1);

    /** Two of them are longer than a file of the journal. */
    private static final String LARGE =
            "{\"fields\":{\"text\":\"%s\"}}".formatted("a".repeat(700_000));

    @TempDir Path data;

    private final Http http = new Http();

    @AfterEach
    void stop() {
        http.close();
    }

    @Test
    void endsWithStatus70AndStartsAgainWithWhatWasAcknowledged() throws Exception {
        try (ServerProcess server = start()) {
            assertThat(deployAndLoseTheJournal(server)).isEqualTo(500);

            assertThat(server.exitStatus(LONG)).isEqualTo(OptionalInt.of(70));
        }
        assertThat(Files.readString(data.resolve("logs/crabro.0.log")))
                .contains("The server ends with status 70: the journal failed: ")
                .contains(", machineCode = off")
                .doesNotContain("compared by machine code");
        bringTheJournalBack();

        try (ServerProcess again = start()) {
            assertThat(http.get(document(again)).status()).isEqualTo(200);
        }
    }

    private ServerProcess start() throws IOException {
        return ServerProcess.start(
                List.of(
                        "--exit-on-failure",
                        "--set=machineCode=off",
                        "--data=" + data,
                        "--port=0",
                        "--config-port=0",
                        "--set=warmUp=0s",
                        "--set=content.recent.journal.segmentBytes=1MiB",
                        "--set=content.recent.feed.diskShare=100%",
                        "--set=content.recent.feed.memoryShare=100%"));
    }

    /** Returns the status of the write that failed. */
    private int deployAndLoseTheJournal(ServerProcess server) throws Exception {
        byte[] application =
                Http.zip(
                        Map.of(
                                "services.xml",
                                NotesApplication.SERVICES,
                                "schemas/note.sd",
                                NotesApplication.SCHEMA));
        URI deploy = server.config().resolve("/application/v2/tenant/default/prepareandactivate");
        assertThat(http.post(deploy, "application/zip", application).status()).isEqualTo(200);
        assertThat(http.post(document(server), Http.JSON.readTree(LARGE)).status()).isEqualTo(200);
        Path journal = data.resolve("content-data/journal");
        Files.move(journal, data.resolve("journal.moved"));
        Files.createFile(journal);
        return http.post(document(server), Http.JSON.readTree(LARGE)).status();
    }

    private void bringTheJournalBack() throws IOException {
        Path journal = data.resolve("content-data/journal");
        Files.delete(journal);
        Files.move(data.resolve("journal.moved"), journal);
    }

    private static URI document(ServerProcess server) {
        return server.container().resolve("/document/v1/test/note/group/anna/1");
    }
}
