package org.crabro.perf.cluster;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.crabro.client.http.RetryPauses;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Visits of all notes in slices, page by page over the servers in turn, while faults happen. A page
 * that fails is asked for again, from the next server. Each visit must return every note that was
 * acknowledged before it began, and no note twice.
 */
final class LedgerVisits {
    private static final int SLICES = 4;
    private static final int PAGE = 20;
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    /** Before a page is asked for again: a cluster that fails over is not to be flooded. */
    private static final RetryPauses PAUSES =
            new RetryPauses(Duration.ofMillis(50), Duration.ofSeconds(1));

    private static final JsonMapper JSON = JsonMapper.shared();

    private final ProcessCluster cluster;
    private final Ledger ledger;
    private final AtomicBoolean isEnding = new AtomicBoolean();

    // Written by the thread of the visits, read after its end.
    private final List<String> wrong = new ArrayList<>();
    private int visits;
    private int retries;

    LedgerVisits(ProcessCluster cluster, Ledger ledger) {
        this.cluster = cluster;
        this.ledger = ledger;
    }

    /** Starts to visit until {@link #end}. */
    Thread start() {
        return Thread.ofPlatform()
                .name("ledger-visits")
                .start(() -> {
                    try {
                        while (!isEnding.get()) {
                            visit();
                        }
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                });
    }

    /** Lets the visits end, also one that has not returned all notes. */
    void end() {
        isEnding.set(true);
    }

    /** Visits all notes once; a visit that is cut off proves nothing and is not counted. */
    private void visit() throws InterruptedException {
        Set<String> expected = ledger.ids();
        Set<String> seen = new HashSet<>();
        for (int slice = 0; slice < SLICES; slice++) {
            Optional<String> continuation = Optional.of("");
            while (continuation.isPresent()) {
                Optional<JsonNode> page = page(slice, continuation.get());
                if (page.isEmpty()) {
                    return;
                }
                for (JsonNode document : page.get().path("documents")) {
                    String id = document.path("id").asString();
                    if (!seen.add(id)) {
                        wrong.add("visit %d returned %s twice".formatted(visits, id));
                    }
                }
                JsonNode next = page.get().path("continuation");
                continuation =
                        next.isMissingNode() ? Optional.empty() : Optional.of(next.asString());
            }
        }
        expected.removeAll(seen);
        if (!expected.isEmpty()) {
            wrong.add("visit %d misses %s".formatted(visits, expected));
        }
        visits++;
    }

    /** Returns a page of a slice; empty if the visits shall end. */
    private Optional<JsonNode> page(int slice, String continuation) throws InterruptedException {
        String path =
                "/document/v1/faults/note/docid?wantedDocumentCount=%d&slices=%d&sliceId=%d&timeout=10s%s"
                        .formatted(
                                PAGE,
                                SLICES,
                                slice,
                                continuation.isEmpty()
                                        ? ""
                                        : "&continuation="
                                                + URLEncoder.encode(
                                                        continuation, StandardCharsets.UTF_8));
        for (int failures = 0; !isEnding.get(); failures++) {
            URI server = cluster.container(1 + (visits + failures) % ProcessCluster.SERVERS);
            if (failures > 0) {
                Thread.sleep(PAUSES.after(failures));
            }
            try {
                return Optional.of(JSON.readTree(cluster.get(server.resolve(path), PATIENCE)));
            } catch (IOException _) {
                retries++;
            }
        }
        return Optional.empty();
    }

    /** Returns what is wrong, after the end of the visits. */
    List<String> check() {
        return List.copyOf(wrong);
    }

    String counts() {
        return "%d visits of %d slices, %d pages asked for again"
                .formatted(visits, SLICES, retries);
    }
}
