package org.crabro.samples.fault;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.awaitility.Durations.ONE_MILLISECOND;
import static org.awaitility.Durations.TWO_MINUTES;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.crabro.client.cli.ServerProcess;
import org.crabro.samples.fixture.FreePorts;
import org.crabro.samples.fixture.Http;
import org.crabro.samples.fixture.NotesApplication;
import org.crabro.samples.fixture.TestSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Ends a client with a spool, its server, or both with {@code kill -9} at seeded moments. Each
 * operation that the spool accepted is in the store, in the order of its document.
 */
class SpoolKillIT {
    private static final int KILLS = Integer.getInteger("crabro.rounds", 5);
    private static final long SEED = Long.getLong("crabro.seed", 2026);
    private static final int DOCUMENTS = 20;

    /** More than are fed until a kill. */
    private static final int ENDLESS = 1_000_000;

    private static final int BEFORE_KILL_MAX = 400;

    @TempDir Path data;

    private final int[] accepted = new int[DOCUMENTS];
    private volatile boolean isEmptied;
    private URI container = URI.create("");
    private int port;

    @Test
    void losesNoOperationThatTheSpoolAccepted() throws Exception {
        var random = new Random(SEED);
        port = FreePorts.one();
        int clientKills = 0;
        int serverKills = 0;
        ServerProcess server = serve();
        container = server.container();
        prepare(server);
        Client client = feed(ENDLESS);
        for (int kill = 0; kill < KILLS; kill++) {
            awaitAccepted(client, 1 + random.nextInt(BEFORE_KILL_MAX));
            int victims = 1 + random.nextInt(3);
            if ((victims & 1) != 0) {
                serverKills++;
                server.kill();
            }
            if ((victims & 2) != 0) {
                clientKills++;
                client.kill();
            }
            if ((victims & 1) != 0) {
                server = serve();
            }
            if ((victims & 2) != 0) {
                client = feed(ENDLESS);
            }
        }
        client.kill();

        Client last = feed(0);
        last.reader().join();
        assertThat(isEmptied).isTrue();
        List<Integer> stored = stored();
        server.close();

        System.out.printf(
                "%d kills of clients and %d of servers, seed %d: %d operations accepted, %d stored%n",
                clientKills + 1,
                serverKills,
                SEED,
                sum(),
                stored.stream().mapToInt(Integer::intValue).sum());
        for (int document = 0; document < DOCUMENTS; document++) {
            // One more may have been accepted than the client could print.
            assertThat(stored.get(document))
                    .as("document %d, seed %d", document, SEED)
                    .isBetween(accepted[document], accepted[document] + 1);
        }
    }

    /**
     * A client, and the thread that reads what it prints.
     *
     * @param reader ends with the output of the process
     */
    private record Client(Process process, Thread reader) {
        void kill() throws InterruptedException {
            process.destroyForcibly().waitFor();
            reader.join();
        }
    }

    private void awaitAccepted(Client client, int more) {
        int before = sum();
        await().atMost(TWO_MINUTES)
                .pollInterval(ONE_MILLISECOND)
                .until(() -> sum() >= before + more || !client.reader().isAlive());
        assertThat(client.reader().isAlive()).as("the client ended by itself").isTrue();
    }

    private int sum() {
        synchronized (accepted) {
            return Arrays.stream(accepted).sum();
        }
    }

    /** Notes what a client accepted, until it ends. */
    private void read(BufferedReader lines) {
        try (lines) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                note(line);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void note(String line) {
        if (line.equals("left 0")) {
            isEmptied = true;
            return;
        }
        String[] words = line.split(" ", -1);
        synchronized (accepted) {
            // The last line of a killed client may be cut: then it is not the next version.
            if (words.length == 2 && words[1].equals(next(words[0]))) {
                accepted[Integer.parseInt(words[0])]++;
            }
        }
    }

    private String next(String document) {
        return Integer.toString(accepted[Integer.parseInt(document)] + 1);
    }

    private ServerProcess serve() throws IOException {
        return ServerProcess.start(
                Stream.concat(
                                Stream.of(
                                        "--data",
                                        data.resolve("server").toString(),
                                        "--port",
                                        Integer.toString(port),
                                        "--config-port",
                                        "0",
                                        "--set=warmUp=0s"),
                                TestSettings.options().stream()
                                        .flatMap(each -> Stream.of("--set", each)))
                        .toList(),
                Map.of("JAVA_TOOL_OPTIONS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"));
    }

    private void prepare(ServerProcess server) throws Exception {
        try (var http = new Http()) {
            Http.Answer deployed =
                    http.post(
                            server.config()
                                    .resolve("/application/v2/tenant/default/prepareandactivate"),
                            "application/zip",
                            NotesApplication.zip());
            assertThat(deployed.status()).as(deployed.toString()).isEqualTo(200);
            for (int document = 0; document < DOCUMENTS; document++) {
                Http.Answer put =
                        http.post(
                                container.resolve(path(document)),
                                "application/json",
                                "{\"fields\":{\"version\":0}}".getBytes(UTF_8));
                assertThat(put.status()).as(put.toString()).isEqualTo(200);
            }
        }
    }

    private static String path(int document) {
        return "/document/v1/test/note/docid/" + SpoolFeeder.user(document);
    }

    private Client feed(int rounds) throws IOException {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(System.getProperty("crabro.spool.flags").split(" ", -1)));
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx128m"));
        command.addAll(
                List.of(
                        "-cp",
                        System.getProperty("java.class.path"),
                        SpoolFeeder.class.getName(),
                        container.toString(),
                        data.resolve("spool").toString(),
                        Integer.toString(rounds)));
        for (int version : accepted) {
            command.add(Integer.toString(version));
        }
        Process process =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        BufferedReader lines = process.inputReader(UTF_8);
        return new Client(process, Thread.ofVirtual().start(() -> read(lines)));
    }

    private List<Integer> stored() throws Exception {
        var stored = new ArrayList<Integer>();
        try (var http = new Http()) {
            for (int document = 0; document < DOCUMENTS; document++) {
                stored.add(
                        http.get(container.resolve(path(document)))
                                .body()
                                .get("fields")
                                .get("version")
                                .asInt());
            }
        }
        return stored;
    }
}
