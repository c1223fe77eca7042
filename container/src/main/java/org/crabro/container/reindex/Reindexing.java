package org.crabro.container.reindex;

import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.crabro.container.reindex.ServedScripts.TypeScripts;
import org.crabro.container.visit.BackgroundAccess;
import org.crabro.container.visit.BackgroundPages;
import org.crabro.container.visit.BySelection;
import org.crabro.container.visit.PageReply;
import org.crabro.container.visit.VisitReads;
import org.crabro.document.Document;
import org.crabro.document.InvalidDocumentException;
import org.crabro.document.operation.ConditionalOperation;
import org.crabro.document.operation.DocumentOperation;
import org.crabro.document.operation.WriteCondition;
import org.crabro.document.select.Selection;
import org.crabro.document.select.SelectionTypes;
import org.crabro.protocol.visit.VisitForm;
import org.crabro.protocol.visit.VisitReply;
import org.crabro.protocol.visit.VisitedDocument;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Processes stored documents with their indexing scripts again, one type after another, a page of
 * documents at a time.
 *
 * <p>It reads the fields that were fed: scripts write no field that can be fed. A document that
 * does not change is not written. A changed one is written on the condition that its version is the
 * one that was read, so every write of a client is kept. If the version has changed, the document
 * is read again, since an update runs only the scripts of the fields that it names. A run begins
 * after all requests that use older scripts have ended.
 *
 * <p>One thread does this and waits between pages as its {@link Pace} says. A document that a
 * script rejects does not change, and the run fails at its end. After a failed read or write it
 * tries again, and after some tries pauses for ten minutes.
 */
public final class Reindexing implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Reindexing.class);

    /** Documents of a page: a script is not interrupted, and may embed each of them. */
    static final int PAGE_DOCUMENTS = 64;

    private static final int PAGE_BYTES = 1 << 20;
    private static final Duration WRITE_TIME = Duration.ofSeconds(30);

    /** The wait after a failure, or if there is no run. */
    static final Duration IDLE = Duration.ofSeconds(1);

    /** Consecutive failures of pages after which a run is suspended. */
    static final int TRIES = 10;

    /** Repeated reads of a page whose documents clients write at the same time. */
    static final int OVERTAKEN_TRIES = 50;

    /** The suspension of a failed run. */
    static final Duration GRACE = Duration.ofMinutes(10);

    /** The interval in which progress is saved. */
    private static final Duration SAVING = Duration.ofSeconds(5);

    private final ReindexRegister register;
    private final ServedScripts scripts;
    private final BackgroundAccess clusters;
    private final InstantSource clock;
    private final ReindexMeters meters;
    private final CountDownLatch closing = new CountDownLatch(1);
    private Optional<Thread> thread = Optional.empty();

    /** The number of consecutive failed pages. Used by the ticking thread. */
    private int failures;

    /** The time when progress was last saved. Used by the ticking thread. */
    private Instant saved = Instant.MIN;

    /** A run that is due. */
    private record Due(ReindexKey key, ReindexRun run) {}

    /**
     * @param clock measures pages and supplies the times of runs
     * @param registry receives metrics of the progress
     */
    public Reindexing(
            ReindexRegister register,
            ServedScripts scripts,
            BackgroundAccess clusters,
            InstantSource clock,
            MeterRegistry registry) {
        this.register = register;
        this.scripts = scripts;
        this.clusters = clusters;
        this.clock = clock;
        this.meters = new ReindexMeters(registry, register);
    }

    /** Starts a thread that processes requests. */
    public void start() {
        thread =
                Optional.of(
                        Thread.ofVirtual()
                                .name("reindexing")
                                .start(() -> {
                                    Duration pause = IDLE;
                                    while (!waits(pause)) {
                                        pause = tickOrTell();
                                    }
                                }));
    }

    private Duration tickOrTell() {
        try {
            return tick();
        } catch (RuntimeException e) {
            // The root of the thread: other types may do better, and this one later.
            LOG.error("reindexing failed", e);
            return IDLE;
        }
    }

    /** Waits, and returns whether this is being closed. */
    private boolean waits(Duration time) {
        try {
            return closing.await(time.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    /** Processes the next page, and returns how long to wait before the one after it. */
    Duration tick() {
        Optional<ServedScripts.Use> active = scripts.use();
        if (active.isEmpty()) {
            meters.serve(Set.of());
            return IDLE;
        }
        try (ServedScripts.Use use = active.get()) {
            meters.serve(use.types());
            Optional<Due> due = register.isEnabled() ? due(use) : Optional.empty();
            return due.isPresent() ? tick(use, due.get()) : IDLE;
        }
    }

    /** Returns the run that was begun, or else the first one that is due. */
    private Optional<Due> due(ServedScripts.Use use) {
        Optional<Due> next = Optional.empty();
        for (Map.Entry<ReindexKey, TypeReindexing> entry : register.types().entrySet()) {
            Optional<ReindexRun> run = entry.getValue().run().filter(this::isDue);
            if (run.isPresent() && use.types().contains(entry.getKey())) {
                var due = new Due(entry.getKey(), run.get());
                if (run.get().state() == ReindexState.RUNNING) {
                    return Optional.of(due);
                }
                next = next.or(() -> Optional.of(due));
            }
        }
        return next;
    }

    private boolean isDue(ReindexRun run) {
        return run.request().speed() > 0
                && switch (run.state()) {
                    case PENDING, RUNNING -> true;
                    case SUCCESSFUL -> false;
                    case FAILED ->
                            !run.place().isEnd()
                                    && clock.millis()
                                            >= run.endedMillis().orElse(0) + GRACE.toMillis();
                };
    }

    private Duration tick(ServedScripts.Use use, Due due) {
        int partitions = reads(due.key).partitions().count();
        ReindexRun run = due.run;
        if (run.startedMillis().isEmpty() || run.place().partitions() != partitions) {
            if (!use.isAlone()) {
                register.update(
                        due.key,
                        run.number(),
                        each ->
                                each.withMessage(
                                        "waits for requests that came in before the last deployment"));
                return IDLE;
            }
            long now = clock.millis();
            run = run.started(now, partitions);
            register.update(due.key, run.number(), each -> each.started(now, partitions));
            LOG.info("reindexing of type {} begins", due.key.documentType());
            save();
        }
        Instant begin = clock.instant();
        Optional<String> problem = page(use.scripts(due.key.documentType()), due.key, run);
        if (problem.isPresent()) {
            return failed(due.key, run, problem.get());
        }
        failures = 0;
        Instant end = clock.instant();
        if (!end.isBefore(saved.plus(SAVING))) {
            save();
        }
        return Pace.pause(Duration.between(begin, end), run.request().speed());
    }

    private VisitReads reads(ReindexKey key) {
        return clusters.reads(key.cluster(), key.documentType());
    }

    /** Does one page, and returns why that failed, if so. */
    private Optional<String> page(TypeScripts scripts, ReindexKey key, ReindexRun run) {
        ReindexPlace place = run.place();
        if (place.isEnd()) {
            end(key, run, place, run.message());
            return Optional.empty();
        }
        var pages =
                new BackgroundPages(
                        reads(key),
                        Selection.parse("", SelectionTypes.of(List.of())),
                        Map.of(key.documentType(), scripts.fields()),
                        new VisitForm.Documents(),
                        PAGE_DOCUMENTS,
                        PAGE_BYTES);
        VisitReply.Page page;
        Processing processing;
        BySelection writing;
        long written = 0;
        int tries = 0;
        do {
            PageReply reply = pages.read(place.partition(), place.after());
            if (!(reply instanceof PageReply.Answered(VisitReply.Page read))) {
                return Optional.of("a page was not read: " + reply);
            }
            page = read;
            processing = new Processing(scripts);
            writing =
                    new BySelection(
                            clusters.writes(key.cluster(), key.documentType()),
                            Principal.EVERYONE,
                            Deadline.after(WRITE_TIME),
                            processing::of);
            try {
                writing.take(page);
            } catch (IOException e) {
                return Optional.of(String.valueOf(e.getMessage()));
            } catch (RuntimeException e) {
                // For example a model failed. The state of the documents is unknown, so the page is
                // processed again.
                LOG.warn("documents of type {} were not reindexed", key.documentType(), e);
                return Optional.of(e.toString());
            }
            written += writing.written();
        } while (writing.overtaken() > 0 && ++tries < OVERTAKEN_TRIES);
        if (writing.overtaken() > 0) {
            return Optional.of(
                    "clients wrote %d documents of a page each time that they were read"
                            .formatted(writing.overtaken()));
        }
        var next =
                new ReindexPlace(
                        place.partitions(),
                        page.last().isPresent() ? place.partition() : place.partition() + 1,
                        page.last(),
                        page.last().isPresent() ? page.share() : 0,
                        place.counts().plus(page.count(), written, processing.refused));
        String message = place.counts().refused() > 0 ? run.message() : processing.first;
        if (next.isEnd()) {
            end(key, run, next, message);
        } else {
            register.update(key, run.number(), each -> each.at(next, message));
        }
        return Optional.empty();
    }

    /** Runs scripts on one page after another document. */
    private static final class Processing {
        private final TypeScripts scripts;
        private int refused;
        private String first = "";

        Processing(TypeScripts scripts) {
            this.scripts = scripts;
        }

        Optional<ConditionalOperation> of(VisitedDocument seen) {
            Document stored =
                    seen.document()
                            .orElseThrow(() -> new IllegalStateException("a removal was visited"));
            Document processed;
            try {
                processed = scripts.processed(stored);
            } catch (InvalidDocumentException e) {
                if (refused == 0) {
                    first = "not changed: " + e.getMessage();
                }
                refused++;
                return Optional.empty();
            }
            return processed.fields().equals(stored.fields())
                    ? Optional.empty()
                    : Optional.of(
                            new ConditionalOperation(
                                    new DocumentOperation.Put(processed),
                                    WriteCondition.NONE.andTimestamp(seen.timestamp()),
                                    false));
        }
    }

    private void end(ReindexKey key, ReindexRun run, ReindexPlace place, String message) {
        String done =
                "%d documents of %d written again"
                        .formatted(place.counts().written(), place.counts().seen());
        boolean isComplete = place.counts().refused() == 0;
        String told =
                isComplete
                        ? done
                        : "%s, %d not, since a script cannot work with them; the first one was %s"
                                .formatted(done, place.counts().refused(), message);
        LOG.info("reindexing of type {} ended: {}", key.documentType(), told);
        register.update(
                key,
                run.number(),
                each ->
                        each.at(place, told)
                                .ended(
                                        isComplete ? ReindexState.SUCCESSFUL : ReindexState.FAILED,
                                        told,
                                        clock.millis()));
        save();
    }

    private Duration failed(ReindexKey key, ReindexRun run, String problem) {
        failures++;
        if (failures < TRIES) {
            return IDLE;
        }
        failures = 0;
        LOG.warn("reindexing of type {} is suspended: {}", key.documentType(), problem);
        register.update(
                key,
                run.number(),
                each -> each.ended(ReindexState.FAILED, problem, clock.millis()));
        save();
        return IDLE;
    }

    private void save() {
        try {
            register.save();
            saved = clock.instant();
        } catch (IOException e) {
            // The run continues, and saving is tried again; at worst some work is repeated after a
            // restart.
            LOG.warn("how far reindexing came could not be saved", e);
        }
    }

    /** Ends after the page that is under way, and saves how far it came. */
    @Override
    public void close() {
        closing.countDown();
        boolean interrupted = false;
        while (thread.isPresent() && thread.get().isAlive()) {
            try {
                thread.get().join();
            } catch (InterruptedException _) {
                interrupted = true;
            }
        }
        save();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
