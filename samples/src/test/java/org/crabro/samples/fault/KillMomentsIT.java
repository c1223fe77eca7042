package org.crabro.samples.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.crabro.client.cli.ServerProcess;
import org.crabro.samples.fault.FedNotes.Feeding;
import org.crabro.samples.fixture.Http;
import org.crabro.samples.fixture.NotesApplication;
import org.crabro.samples.fixture.QuickServer;
import org.crabro.samples.fixture.ServerCommand;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Ends a server with {@code kill -9} while it flushes, merges, makes a backup and deploys, all at
 * once and again and again.
 */
class KillMomentsIT {
    private static final long SEED = Long.getLong("crabro.seed", 2026);
    private static final int ROUNDS = Integer.getInteger("crabro.rounds", 1);
    private static final String DEPLOY = "/application/v2/tenant/default/prepareandactivate";

    /** Under these, every few puts lead to a flush, and every few flushes to a merge. */
    private static final List<String> SMALL =
            List.of(
                    "content.recent.recentBytes=256KiB",
                    "content.recent.journal.bytes=4MiB",
                    "content.recent.journal.segmentBytes=1MiB",
                    "content.recent.compaction.fanOut=2",
                    "content.recent.compaction.tiersMax=4");

    @TempDir Path directory;

    private final FedNotes notes = new FedNotes(SEED);

    /** The generations that may be active: the last one deployed, and those sent after it. */
    private final Set<Integer> generations = new TreeSet<>();

    private final CountDownLatch firstBackup = new CountDownLatch(1);
    private int deployments;
    private final List<String> failures = new ArrayList<>();

    @Test
    void keepsEverythingAtEveryMoment() throws Exception {
        var random = new Random(SEED);
        int backups = 0;
        for (int round = 0; round < ROUNDS; round++) {
            Path rounds = directory.resolve("backups" + round);
            try (var http = new Http();
                    ServerProcess server = start()) {
                if (round == 0) {
                    deploy(http, server.config());
                } else {
                    check(http, server);
                }
                try (Feeding feeding = notes.feed(server.container())) {
                    Thread operator = Thread.ofVirtual().start(() -> operate(server, rounds));
                    feeding.await(200, 100 + random.nextInt(100));
                    assertThat(firstBackup.await(1, TimeUnit.MINUTES)).isTrue();
                    server.kill();
                    operator.join();
                }
            }
            assertThat(failures).isEmpty();
            inspect(directory.resolve("data"));
            backups += wholeBackups(rounds);
        }
        try (var http = new Http();
                ServerProcess server = start()) {
            check(http, server);
        }
        assertThat(backups).isPositive();
    }

    /** Deploys and makes backups until the server is gone. */
    private void operate(ServerProcess server, Path backups) {
        try (var http = new Http()) {
            for (int i = 0; ; i++) {
                deploy(http, server.config());
                var request = Http.JSON.createObjectNode();
                request.put("directory", backups.resolve(Integer.toString(i)).toString());
                Http.Answer backup =
                        http.post(server.config().resolve("/crabro/v1/backup"), request);
                assertThat(backup.status()).as(backup.toString()).isIn(200, 202, 409);
                if (backup.status() == 200) {
                    firstBackup.countDown();
                }
            }
        } catch (IOException _) {
            // The server is gone.
        } catch (InterruptedException | AssertionError e) {
            failures.add(e.toString());
        }
    }

    /** Each package has a rank profile of its own, which tells which one is active. */
    private void deploy(Http http, URI config) throws IOException, InterruptedException {
        deployments++;
        generations.add(deployments);
        byte[] zip =
                Http.zip(
                        Map.of(
                                "services.xml",
                                NotesApplication.SERVICES,
                                "schemas/note.sd",
                                NotesApplication.SCHEMA.replace(
                                        "rank-profile near",
                                        "rank-profile p%d inherits default {}\n rank-profile near"
                                                .formatted(deployments))));
        Http.Answer answer = http.post(config.resolve(DEPLOY), "application/zip", zip);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        generations.removeIf(generation -> generation < deployments);
    }

    private void check(Http http, ServerProcess server) throws Exception {
        notes.check(http, server.container());
        int active = 0;
        for (int generation : generations) {
            URI address =
                    server.container()
                            .resolve(
                                    "/search/?yql=select+*+from+note+where+true"
                                            + "&streaming.selection=true&hits=0&ranking=p"
                                            + generation);
            active += http.get(address).status() == 200 ? 1 : 0;
        }
        assertThat(active).as("active of %s, seed %d", generations, SEED).isEqualTo(1);
    }

    /** Returns how many backups are whole, and checks the newest of them. */
    private int wholeBackups(Path backups) throws Exception {
        int whole = 0;
        Path newest = backups;
        for (Path backup : list(backups)) {
            if (Files.exists(backup.resolve("backup"))) {
                whole++;
                newest = backup;
            }
        }
        if (whole > 0) {
            inspect(newest);
        }
        return whole;
    }

    private static List<Path> list(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.sorted().toList();
        }
    }

    /** Checks that nothing is damaged, and no file missing. */
    private static void inspect(Path directory) throws Exception {
        ServerCommand.Result result =
                ServerCommand.run("inspect", "--groups", "0", directory.toString());
        assertThat(result.status()).as("%s, seed %d", result.output(), SEED).isZero();
    }

    private ServerProcess start() throws IOException {
        return QuickServer.start(directory.resolve("data"), SMALL);
    }
}
