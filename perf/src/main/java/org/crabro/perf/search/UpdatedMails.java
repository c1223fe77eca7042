package org.crabro.perf.search;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
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
import org.crabro.content.node.ContentSettings;
import org.crabro.document.DocumentId;
import org.crabro.document.FieldValue;
import org.crabro.document.LocationKey;
import org.crabro.document.operation.DocumentOperation;
import org.crabro.document.operation.FieldChange;
import org.crabro.document.operation.FieldUpdate;
import org.crabro.perf.compare.LuceneTexts;
import org.crabro.perf.compare.UpdatedLuceneTexts;
import org.crabro.perf.data.Items;
import org.crabro.perf.data.MailTexts;
import org.crabro.perf.harness.Figures;
import org.crabro.perf.harness.Scale;
import org.crabro.protocol.search.Scope;

/**
 * Searches of all mails while others update 1,000 a second, against the same searches before, and
 * against an index of Lucene with the same updates. All searches see all updates before them. The
 * node has its usual settings, so it forces updates to the disk, and flushes, merges and indexes
 * while they arrive.
 */
final class UpdatedMails implements AutoCloseable {
    private static final int MAILS = Math.max(50_000, Scale.of(100_000));
    private static final int PER_SECOND = 1_000;
    private static final int SECONDS = 3;
    private static final int WRITERS = 8;
    private static final int QUIET_TURNS = 20;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final MailNode node;
    private final UpdatedLuceneTexts lucene;
    private final MailTexts texts;
    private final List<IndexBenchmark.Case> queries;
    private final AtomicInteger next = new AtomicInteger();

    private UpdatedMails(
            MailNode node,
            UpdatedLuceneTexts lucene,
            MailTexts texts,
            List<IndexBenchmark.Case> queries) {
        this.node = node;
        this.lucene = lucene;
        this.texts = texts;
        this.queries = queries;
    }

    /** A search that returns how many mails were searched. */
    private interface Search {
        int find(IndexBenchmark.Case searched) throws Exception;
    }

    /** An update of a mail. */
    private interface Update {
        void run(int mail);
    }

    /**
     * Feeds the mails and indexes them.
     *
     * @param queries to be searched in turn
     */
    static UpdatedMails feed(Path folder, MailTexts texts, List<IndexBenchmark.Case> queries)
            throws Exception {
        Files.createDirectory(folder);
        ContentSettings settings = ContentSettings.in(Files.createDirectory(folder.resolve("own")));
        MailNode node = MailNode.open(settings, texts);
        node.feed(MAILS, UpdatedMails::id);
        UpdatedLuceneTexts lucene =
                UpdatedLuceneTexts.build(
                        folder.resolve("lucene"), MAILS, mail -> entry(texts, mail));
        return new UpdatedMails(node, lucene, texts, queries);
    }

    private static LuceneTexts.Entry entry(MailTexts texts, int mail) {
        return new LuceneTexts.Entry(
                id(mail).toString(), new String(texts.body(mail), UTF_8), MailNode.day(mail));
    }

    private static DocumentId id(int mail) {
        return new DocumentId("perf", MailNode.MAIL, new LocationKey.Plain(), "m" + mail);
    }

    void measure(Figures figures) throws Exception {
        node.settle();
        double own = measure(figures, "", this::find, this::update);
        double other = measure(figures, ", Lucene", this::findByLucene, this::updateLucene);
        figures.add("ten best during updates, over Lucene", "", own / other);
    }

    /** Returns the processor seconds of a search during updates. */
    private double measure(Figures figures, String whose, Search search, Update update)
            throws Exception {
        double quiet = seconds(QUIET_TURNS, search);
        var isOver = new AtomicBoolean();
        try (ExecutorService updating = Executors.newSingleThreadExecutor()) {
            Callable<Double> updates =
                    () -> {
                        try {
                            return update(update);
                        } finally {
                            isOver.set(true);
                        }
                    };
            var perSecond = updating.submit(updates);
            double busy = 0;
            int turns = 0;
            while (!isOver.get()) {
                busy += seconds(1, search);
                turns++;
            }
            double before = quiet / QUIET_TURNS;
            double during = busy / turns;
            figures.add("ten best before updates" + whose, "ms", 1_000 * before);
            figures.add("ten best during updates" + whose, "ms", 1_000 * during);
            figures.add("ten best during updates over before" + whose, "", during / before);
            figures.add("updates over 1,000 a second" + whose, "", perSecond.get() / PER_SECOND);
            return during;
        }
    }

    private int find(IndexBenchmark.Case searched) {
        return (int)
                node.find(MailNode.MAIL, new Scope.Everything(), searched.tree(), 10)
                        .report()
                        .coverage()
                        .documents();
    }

    private int findByLucene(IndexBenchmark.Case searched) throws IOException {
        lucene.best(searched.query());
        return lucene.count();
    }

    /** Returns the processor seconds of this thread for a search of the mean query. */
    private double seconds(int turns, Search search) throws Exception {
        long begin = THREADS.getCurrentThreadCpuTime();
        for (int i = 0; i < turns; i++) {
            for (IndexBenchmark.Case query : queries) {
                int documents = search.find(query);
                if (documents != MAILS) {
                    throw new IllegalStateException("%d documents".formatted(documents));
                }
            }
        }
        return (THREADS.getCurrentThreadCpuTime() - begin) / 1e9 / queries.size();
    }

    private void update(int mail) {
        var day = new FieldValue.IntValue(MailNode.day(mail));
        node.write(
                new DocumentOperation.Update(
                        id(mail), List.of(FieldUpdate.of("day", new FieldChange.Assign(day)))));
    }

    private void updateLucene(int mail) {
        try {
            lucene.update(entry(texts, mail));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Updates mails at the wanted rate; returns how many there were in a second. */
    private double update(Update update) throws Exception {
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
                        update.run((int) (i * 7_919L % MAILS));
                    }
                });
        next.set(end);
        return PER_SECOND * SECONDS * 1e9 / (System.nanoTime() - begin);
    }

    @Override
    public void close() throws IOException {
        lucene.close();
        node.close();
    }
}
