package org.crabro.container.visit;

import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.config.schema.Schema;
import org.crabro.config.services.ContentCluster;
import org.crabro.config.services.ContentCluster.ClusterDocument;
import org.crabro.document.DocumentId;
import org.crabro.document.operation.ConditionalOperation;
import org.crabro.document.operation.DocumentOperation;
import org.crabro.document.operation.WriteCondition;
import org.crabro.document.select.Selection;
import org.crabro.document.select.SelectionTypes;
import org.crabro.protocol.visit.VisitForm;
import org.crabro.protocol.visit.VisitReply;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes documents that the selection of their cluster no longer includes, in the background.
 *
 * <p>Each partition has one turn in an interval. The clock determines the partition, so no state
 * survives a restart, and the load is even. The thread pauses as long as it works. A document is
 * removed if the selection is false; it stays if the selection is undefined. A document that a
 * client writes during the turn is not removed in that turn.
 */
public final class Expiry implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Expiry.class);

    private static final Duration WRITE_TIME = Duration.ofSeconds(30);
    private static final Duration PAUSE_MAX = Duration.ofSeconds(1);

    /** Consecutive failures of pages after which a partition is left for its next turn. */
    private static final int TRIES = 10;

    private final BackgroundAccess clusters;
    private final InstantSource clock;
    private final CountDownLatch closing = new CountDownLatch(1);

    /** The last completed turn, by cluster. Used by the thread that ticks. */
    private final Map<String, Long> turns = new HashMap<>();

    private volatile List<Expiring> expiring = List.of();

    /**
     * Documents of a type that expire.
     *
     * @param expired selects the documents to remove
     */
    private record Expiring(String cluster, String type, Duration interval, Selection expired) {}

    /**
     * @param clock determines the turns; {@code now()} in selections is the clock of the node
     */
    public Expiry(BackgroundAccess clusters, InstantSource clock) {
        this.clusters = clusters;
        this.clock = clock;
    }

    /** Starts a thread that checks the clock every second. */
    public void start() {
        Thread.ofVirtual()
                .name("expiry")
                .start(() -> {
                    while (!pause(PAUSE_MAX)) {
                        tickOrTell();
                    }
                });
    }

    private void tickOrTell() {
        try {
            tick();
        } catch (RuntimeException e) {
            // The next turn and the other clusters continue.
            LOG.error("looking for expired documents failed", e);
        }
    }

    /** Uses the selections of {@code model} from now on. */
    public void serve(ApplicationModel model) {
        var expiringTypes = new ArrayList<Expiring>();
        SelectionTypes types = Schema.selectable(model.schemas().values());
        for (ContentCluster cluster : model.services().contents()) {
            cluster.expiry()
                    .ifPresent(interval -> {
                        for (ClusterDocument each : cluster.documents()) {
                            if (!each.selection().isEmpty()) {
                                expiringTypes.add(
                                        new Expiring(
                                                cluster.id(),
                                                each.type(),
                                                interval,
                                                Selection.parse(each.selection(), types)
                                                        .negated()));
                            }
                        }
                    });
        }
        expiring = List.copyOf(expiringTypes);
    }

    /** Removes nothing from now on. */
    public void stop() {
        expiring = List.of();
    }

    /** Processes the turns that are due, each partition at most once. */
    void tick() {
        var due = new HashMap<String, Long>();
        for (Expiring each : expiring) {
            VisitPlan plan =
                    VisitPlan.of(
                            Selection.parse("", SelectionTypes.of(List.of())).places(),
                            clusters.reads(each.cluster, each.type).partitions());
            int count = plan.partitions().size();
            long step = Math.max(1, each.interval.toMillis() / count);
            long turn = clock.millis() / step;
            long last = turns.getOrDefault(each.cluster, turn - 1);
            // After missed turns, each partition is processed once.
            for (long next = Math.max(last, turn - count) + 1; next <= turn; next++) {
                remove(each, plan.partitions().get((int) Math.floorMod(next, (long) count)));
            }
            due.put(each.cluster, turn);
        }
        turns.putAll(due);
    }

    private void remove(Expiring each, int partition) {
        Optional<DocumentId> after = Optional.empty();
        long removed = 0;
        int tries = TRIES;
        do {
            long begin = System.nanoTime();
            PageReply reply = page(each, partition, after);
            if (reply instanceof PageReply.Answered(VisitReply.Page page)) {
                try {
                    removed += remove(each, page);
                } catch (IOException e) {
                    LOG.warn(
                            "expired documents of type {} in partition {} were not removed: {}",
                            each.type,
                            partition,
                            e.getMessage());
                    return;
                }
                after = page.last();
                tries = page.last().isPresent() ? TRIES : 0;
            } else {
                tries--;
                if (tries == 0) {
                    LOG.warn(
                            "partition {} was not searched for expired documents of type {}: {}",
                            partition,
                            each.type,
                            reply);
                }
            }
            long spent = System.nanoTime() - begin;
            if (tries > 0 && pause(Duration.ofNanos(Math.min(spent, PAUSE_MAX.toNanos())))) {
                return;
            }
        } while (tries > 0);
        if (removed > 0) {
            LOG.info(
                    "removed {} expired documents of type {} from content cluster '{}'",
                    removed,
                    each.type,
                    each.cluster);
        }
    }

    private PageReply page(Expiring each, int partition, Optional<DocumentId> after) {
        return new BackgroundPages(
                        clusters.reads(each.cluster, each.type),
                        each.expired,
                        Map.of(each.type, List.of()),
                        new VisitForm.Ids(),
                        BySelection.PAGE_DOCUMENTS,
                        Integer.MAX_VALUE)
                .read(partition, after);
    }

    private long remove(Expiring each, VisitReply.Page page) throws IOException {
        var writing =
                new BySelection(
                        clusters.writes(each.cluster, each.type),
                        Principal.EVERYONE,
                        Deadline.after(WRITE_TIME),
                        seen ->
                                Optional.of(
                                        new ConditionalOperation(
                                                new DocumentOperation.Remove(seen.id()),
                                                WriteCondition.NONE.andTimestamp(seen.timestamp()),
                                                false)));
        writing.take(page);
        return writing.written();
    }

    /** Waits, and returns whether this was closed. */
    private boolean pause(Duration time) {
        try {
            return closing.await(time.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    @Override
    public void close() {
        stop();
        closing.countDown();
    }
}
