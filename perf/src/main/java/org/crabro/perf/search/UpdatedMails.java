package org.crabro.perf.search;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.crabro.content.ContentSettings;
import org.crabro.document.DocumentId;
import org.crabro.document.FieldValue;
import org.crabro.document.LocationKey;
import org.crabro.document.operation.DocumentOperation;
import org.crabro.document.operation.FieldChange;
import org.crabro.document.operation.FieldUpdate;
import org.crabro.perf.data.Items;
import org.crabro.perf.data.MailTexts;
import org.crabro.perf.harness.Figures;
import org.crabro.perf.harness.Scale;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.search.Scope;

/**
 * Searches of all mails while others update 1,000 a second, against the same searches before. The
 * node has its usual settings, so it flushes, merges and indexes while the updates arrive.
 */
final class UpdatedMails implements AutoCloseable {
    private static final int MAILS = Math.max(50_000, Scale.of(100_000));
    private static final int PER_SECOND = 1_000;
    private static final int SECONDS = 3;
    private static final int WRITERS = 8;
    private static final int QUIET_TURNS = 20;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final MailNode node;
    private final List<QueryNode> queries;
    private final AtomicInteger next = new AtomicInteger();

    private UpdatedMails(MailNode node, List<QueryNode> queries) {
        this.node = node;
        this.queries = queries;
    }

    /**
     * Feeds the mails and indexes them.
     *
     * @param queries to be searched in turn
     */
    static UpdatedMails feed(Path folder, MailTexts texts, List<QueryNode> queries)
            throws Exception {
        ContentSettings settings = ContentSettings.in(Files.createDirectory(folder));
        var updated = new UpdatedMails(MailNode.open(settings, texts), queries);
        updated.node.feed(MAILS, UpdatedMails::id);
        return updated;
    }

    private static DocumentId id(int mail) {
        return new DocumentId("perf", MailNode.MAIL, new LocationKey.Plain(), "m" + mail);
    }

    void measure(Figures figures) throws Exception {
        node.settle();
        double quiet = seconds(QUIET_TURNS);
        var isOver = new AtomicBoolean();
        try (ExecutorService updating = Executors.newSingleThreadExecutor()) {
            Callable<Double> updates =
                    () -> {
                        try {
                            return update();
                        } finally {
                            isOver.set(true);
                        }
                    };
            var perSecond = updating.submit(updates);
            double busy = 0;
            int turns = 0;
            while (!isOver.get()) {
                busy += seconds(1);
                turns++;
            }
            figures.add("ten best before updates", "ms", 1_000 * quiet / QUIET_TURNS);
            figures.add("ten best during updates", "ms", 1_000 * busy / turns);
            figures.add(
                    "ten best during updates over before",
                    "",
                    busy / turns / (quiet / QUIET_TURNS));
            figures.add("updates over 1,000 a second", "", perSecond.get() / PER_SECOND);
        }
    }

    /** Returns the processor seconds of this thread for a search of the mean query. */
    private double seconds(int turns) {
        long begin = THREADS.getCurrentThreadCpuTime();
        for (int i = 0; i < turns; i++) {
            for (QueryNode query : queries) {
                long documents =
                        node.find(MailNode.MAIL, new Scope.Everything(), query, 10)
                                .report()
                                .coverage()
                                .documents();
                if (documents != MAILS) {
                    throw new IllegalStateException("%d documents".formatted(documents));
                }
            }
        }
        return (THREADS.getCurrentThreadCpuTime() - begin) / 1e9 / queries.size();
    }

    /** Updates mails at the wanted rate; returns how many there were in a second. */
    private double update() throws Exception {
        int first = next.get();
        int end = first + PER_SECOND * SECONDS;
        long begin = System.nanoTime();
        Items.onThreads(
                Executors.newFixedThreadPool(WRITERS),
                WRITERS,
                () -> {
                    for (int i = next.getAndIncrement(); i < end; i = next.getAndIncrement()) {
                        long due = begin + TimeUnit.SECONDS.toNanos(i - first) / PER_SECOND;
                        LockSupport.parkNanos(due - System.nanoTime());
                        // Neighbors in time are far from each other in the files.
                        int mail = (int) (i * 7_919L % MAILS);
                        var day = new FieldValue.IntValue(MailNode.day(mail));
                        node.write(
                                new DocumentOperation.Update(
                                        id(mail),
                                        List.of(
                                                FieldUpdate.of(
                                                        "day", new FieldChange.Assign(day)))));
                    }
                });
        next.set(end);
        return PER_SECOND * SECONDS * 1e9 / (System.nanoTime() - begin);
    }

    @Override
    public void close() throws IOException {
        node.close();
    }
}
