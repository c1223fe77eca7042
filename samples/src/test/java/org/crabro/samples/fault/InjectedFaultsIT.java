package org.crabro.samples.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.StreamSupport;
import org.crabro.client.cli.ServerProcess;
import org.crabro.samples.fault.FedNotes.Feeding;
import org.crabro.samples.fault.InjectedFaults.Fault;
import org.crabro.samples.fixture.Http;
import org.crabro.samples.fixture.QuickServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** Real servers whose files fail or are slow, and whose wall clock steps, while notes are fed. */
class InjectedFaultsIT {
    private static final long SEED = Long.getLong("crabro.seed", 2026);
    private static final long SECONDS_PER_HOUR = 3_600;
    private static final Duration STOP_WAIT = Duration.ofSeconds(30);

    @TempDir Path directory;

    private final FedNotes notes = new FedNotes(SEED);
    private InjectedFaults faults;

    @BeforeEach
    void compile() throws Exception {
        faults = InjectedFaults.compiled(directory);
    }

    @AfterEach
    void close() {
        faults.close();
    }

    /** Also where the next force would succeed again: what it would make durable is not known. */
    @ParameterizedTest
    @EnumSource(names = {"FORCE_FAILS", "WRITE_FAILS"})
    void acknowledgesNothingAfterAnErrorOfTheDisk(Fault fault) throws Exception {
        try (var http = new Http();
                ServerProcess server = start()) {
            FedNotes.deploy(http, server.config());
            try (Feeding feeding = notes.feed(server.container())) {
                feeding.await(200, 50);
                faults.set(fault, 1);
                feeding.await(500, 5);
                faults.set(fault, 0);
            }
            try (Feeding after = notes.feed(server.container())) {
                after.await(500, 10);
                assertThat(after.count(200)).isZero();
            }
            notes.readSome(http, server.container(), 50);
            server.kill();
        }
        checkAfterRestart();
    }

    @Test
    void keepsDeadlinesAndStopsInTimeWhereForcingIsSlow() throws Exception {
        try (var http = new Http();
                ServerProcess server = start()) {
            FedNotes.deploy(http, server.config());
            try (Feeding feeding = notes.feed(server.container(), "?timeout=300ms")) {
                feeding.await(200, 20);
                faults.set(Fault.FORCE_MILLIS, 2_000);
                feeding.await(() -> feeding.refused() >= 8, "8 refusals");
                notes.readSome(http, server.container(), 50);
                assertThat(feeding.answers().keySet()).isSubsetOf(200, 429, 504);
                faults.set(Fault.FORCE_MILLIS, 100);
                assertThat(server.stop(STOP_WAIT)).isTrue();
            }
            faults.set(Fault.FORCE_MILLIS, 0);
        }
        checkAfterRestart();
    }

    @Test
    void goesOnWhereTheWallClockSteps() throws Exception {
        try (var http = new Http();
                ServerProcess server = start()) {
            FedNotes.deploy(http, server.config());
            URI container = server.container();
            List<Long> before = List.of();
            List<Long> highest = new ArrayList<>();
            try (Feeding feeding = notes.feed(container)) {
                for (int hours : List.of(0, 1, -24)) {
                    faults.set(Fault.CLOCK_SECONDS, hours * SECONDS_PER_HOUR);
                    feeding.await(200, 100);
                    visitEverything(http, container);
                    List<Long> now = timestamps(http, server, "backup" + hours);
                    for (int i = 0; i < before.size(); i++) {
                        assertThat(now.get(i))
                                .as("partition %d after a step by %d h", i, hours)
                                .isGreaterThanOrEqualTo(before.get(i));
                    }
                    highest.add(Collections.max(now));
                    before = now;
                }
                assertThat(feeding.answers()).containsOnlyKeys(200);
            }
            assertThat(highest).isSorted();
            assertThat(Duration.of(highest.get(1) - highest.get(0), ChronoUnit.MICROS))
                    .as("the clock stepped")
                    .isGreaterThan(Duration.ofMinutes(59));
            notes.check(http, container);
        }
        checkAfterRestart();
    }

    /** Returns the highest timestamp of each partition: later writes win by them. */
    private List<Long> timestamps(Http http, ServerProcess server, String name) throws Exception {
        var request = Http.JSON.createObjectNode();
        request.put("directory", directory.resolve(name).toString());
        Http.Answer backup = http.post(server.config().resolve("/crabro/v1/backup"), request);
        assertThat(backup.status()).as(backup.toString()).isEqualTo(200);
        return StreamSupport.stream(backup.body().get("partitions").spliterator(), false)
                .map(partition -> partition.get("timestamp").asLong())
                .toList();
    }

    private static void visitEverything(Http http, URI container) throws Exception {
        String continuation = "";
        do {
            Http.Answer page =
                    http.get(
                            container.resolve(
                                    "/document/v1/test/note/docid?wantedDocumentCount=50"
                                            + "&timeout=10s"
                                            + continuation));
            assertThat(page.status()).as(page.toString()).isEqualTo(200);
            JsonNode next = page.body().path("continuation");
            continuation = next.isMissingNode() ? "" : "&continuation=" + next.asString();
        } while (!continuation.isEmpty());
    }

    private void checkAfterRestart() throws Exception {
        try (var http = new Http();
                ServerProcess server = start()) {
            notes.check(http, server.container());
            try (Feeding feeding = notes.feed(server.container())) {
                feeding.await(200, 20);
            }
        }
    }

    private ServerProcess start() throws IOException {
        return QuickServer.start(directory.resolve("data"), List.of(), faults.environment());
    }
}
