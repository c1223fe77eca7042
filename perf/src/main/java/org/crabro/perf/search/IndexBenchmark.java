package org.crabro.perf.search;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.apache.lucene.search.Query;
import org.crabro.content.storage.index.IndexSettings;
import org.crabro.content.storage.index.IndexedRun;
import org.crabro.document.DocumentId;
import org.crabro.document.LocationKey;
import org.crabro.perf.compare.LuceneTexts;
import org.crabro.perf.data.MailTexts;
import org.crabro.perf.harness.Benchmark;
import org.crabro.perf.harness.Figures;
import org.crabro.perf.harness.PageCache;
import org.crabro.perf.harness.Scale;
import org.crabro.protocol.cluster.Partitions;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.RangeEnd;
import org.crabro.protocol.query.TermSettings;
import org.crabro.protocol.search.Scope;
import org.crabro.protocol.search.SearchReply;

/**
 * Searches of all mails of a type in mode {@code index}, in process and on one thread: with
 * indexes, without, and by an index of Lucene with the same fields. All count every hit and return
 * the ids of the ten best. Ours has one index for each of 16 partitions. Lucene searches its index
 * as the writer left it, in 16 segments, and merged into one.
 *
 * <p>Two more nodes are searched while documents are updated, and for one group of documents.
 */
public final class IndexBenchmark implements Benchmark {
    private static final int MAILS = Scale.of(1_000_000);
    private static final int TURNS = 5;
    private static final int PARTITIONS = Partitions.DEFAULT.count();

    /** How an index of Lucene is divided. */
    private static final List<String> FORMS = List.of("as left", "in 16 segments", "merged");

    /** The folder of each. */
    private static final List<String> FOLDERS =
            List.of("lucene", "lucene.divided", "lucene.merged");

    /** The processor time of each kind of search before it is measured, so that it is compiled. */
    private static final double WARM_UP_SECONDS = 1;

    /** The same for all kinds of ours, which is more code than Lucene's. */
    private static final double OWN_WARM_UP_SECONDS = 8;

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /** Ranks of searched words by how common they are. */
    private static final List<Integer> COMMON = List.of(20, 40, 60, 80);

    private static final List<Integer> RARE = List.of(3_000, 6_000, 12_000, 24_000);

    @Override
    public String name() {
        return "index";
    }

    @Override
    public String summary() {
        return "searches of all mails in mode index, against scans and Lucene in process";
    }

    @Override
    public Prepared prepare(Path folder) throws Exception {
        Path data = Files.createDirectory(folder.resolve("data"));
        var texts = new MailTexts(2026);
        MailNode node = MailNode.open(MailNode.settings(data).withIndex(IndexSettings.NONE), texts);
        node.feed(MAILS, IndexBenchmark::id);
        List<Case> cases = cases(texts);
        double scanned = seconds(cases, each -> find(node, each, 0));
        long begin = THREADS.getCurrentThreadCpuTime();
        node.node().index(IndexSettings.DEFAULT);
        double building = (THREADS.getCurrentThreadCpuTime() - begin) / 1e9;
        Lucene lucene = Lucene.build(folder, texts);
        for (Case each : cases) {
            long hits = find(node, each, 0);
            long expected = lucene.asLeft().count(each.query());
            if (hits != expected) {
                throw new IllegalStateException(
                        "%s: %d mails, by Lucene %d".formatted(each, hits, expected));
            }
        }
        List<Case> kinds = kinds(cases);
        UpdatedMails updated = UpdatedMails.feed(folder.resolve("updated"), texts, kinds);
        GroupedMails grouped =
                GroupedMails.feed(
                        folder.resolve("grouped"), texts, kinds.stream().map(Case::tree).toList());
        List<Search> counting =
                List.of(
                        each -> find(node, each, 0),
                        each -> lucene.asLeft().count(each.query()),
                        each -> lucene.divided().count(each.query()),
                        each -> lucene.merged().count(each.query()));
        List<Search> ranking =
                List.of(
                        each -> find(node, each, 10),
                        each -> lucene.asLeft().best(each.query()).count(),
                        each -> lucene.divided().best(each.query()).count(),
                        each -> lucene.merged().best(each.query()).count());
        var isFirst = new AtomicBoolean(true);
        return new Prepared() {
            @Override
            public void measure(Figures figures) throws Exception {
                boolean isCold = isFirst.getAndSet(false);
                if (isCold) {
                    figures.add("index build", "mails per processor second", MAILS / building);
                    lucene.addTo(figures, building, bytes(data, IndexedRun.SUFFIX));
                    figures.add("bytes of indexes", "MB", bytes(data, IndexedRun.SUFFIX) / 1e6);
                    figures.add("bytes of runs", "MB", bytes(data, ".run") / 1e6);
                    figures.add("counting by scans", "ms", 1_000 * scanned / cases.size());
                    searchReleased(data, cases, ranking.getFirst());
                    figures.add(
                            "resident bytes of indexes", "MB", resident(data, IndexedRun.SUFFIX));
                    figures.add("resident bytes of runs", "MB", resident(data, ".run"));
                    for (int i = 0; i < FORMS.size(); i++) {
                        Path index = folder.resolve(FOLDERS.get(i));
                        searchReleased(index, cases, ranking.get(i + 1));
                        figures.add(
                                "resident bytes of indexes, Lucene " + FORMS.get(i),
                                "MB",
                                resident(index, ""));
                    }
                }
                if (isCold) {
                    warmUp(cases, counting.getFirst(), OWN_WARM_UP_SECONDS);
                    warmUp(cases, ranking.getFirst(), OWN_WARM_UP_SECONDS);
                }
                for (String kind : cases.stream().map(Case::kind).distinct().toList()) {
                    List<Case> some =
                            cases.stream().filter(each -> each.kind().equals(kind)).toList();
                    if (isCold) {
                        // Both indexes of Lucene are searched by the same code.
                        for (int i = 0; i < 2; i++) {
                            warmUp(some, counting.get(i), WARM_UP_SECONDS);
                            warmUp(some, ranking.get(i), WARM_UP_SECONDS);
                        }
                    }
                    compare(figures, kind + ", counted", some, counting);
                    compare(figures, kind + ", ten best", some, ranking);
                }
                grouped.measure(figures);
                updated.measure(figures);
            }

            @Override
            public void close() throws IOException {
                grouped.close();
                updated.close();
                lucene.close();
                node.close();
            }
        };
    }

    private static DocumentId id(int mail) {
        return new DocumentId("perf", MailNode.MAIL, new LocationKey.Plain(), "m" + mail);
    }

    /** Returns a query of each kind. */
    private static List<Case> kinds(List<Case> cases) {
        return cases.stream()
                .map(Case::kind)
                .distinct()
                .map(kind ->
                        cases.stream()
                                .filter(each -> each.kind().equals(kind))
                                .findFirst()
                                .orElseThrow())
                .toList();
    }

    private static long find(MailNode node, Case searched, int hits) {
        SearchReply.Found result =
                node.find(MailNode.MAIL, new Scope.Everything(), searched.tree(), hits);
        if (result.report().coverage().documents() != MAILS) {
            throw new IllegalStateException("not all was searched: " + result);
        }
        return result.totalCount();
    }

    /**
     * The index of Lucene, as its writer left it, in as many segments as ours, and merged into one.
     *
     * @param building processor seconds for the index as left
     * @param merging processor seconds for the merge into one segment
     */
    private record Lucene(
            LuceneTexts asLeft,
            LuceneTexts divided,
            LuceneTexts merged,
            double building,
            double merging)
            implements AutoCloseable {
        static Lucene build(Path folder, MailTexts texts) throws IOException {
            long begin = THREADS.getCurrentThreadCpuTime();
            IntFunction<LuceneTexts.Entry> entries =
                    mail ->
                            new LuceneTexts.Entry(
                                    id(mail).toString(),
                                    new String(texts.body(mail), UTF_8),
                                    MailNode.day(mail));
            LuceneTexts asLeft =
                    LuceneTexts.build(folder.resolve(FOLDERS.getFirst()), MAILS, entries);
            long built = THREADS.getCurrentThreadCpuTime();
            LuceneTexts merged = asLeft.merged(folder.resolve(FOLDERS.getLast()));
            long end = THREADS.getCurrentThreadCpuTime();
            LuceneTexts divided =
                    LuceneTexts.inSegments(
                            folder.resolve(FOLDERS.get(1)), MAILS, entries, PARTITIONS);
            return new Lucene(asLeft, divided, merged, (built - begin) / 1e9, (end - built) / 1e9);
        }

        /** Adds what our index costs, over what this costs. */
        void addTo(Figures figures, double ownBuilding, long ownBytes) throws IOException {
            figures.add("segments of Lucene, as left", "", asLeft.segmentCount());
            figures.add("bytes of indexes, Lucene as left", "MB", asLeft.byteCount() / 1e6);
            figures.add("index build over Lucene, as left", "", building / ownBuilding);
            figures.add("index build over Lucene, merged", "", (building + merging) / ownBuilding);
            figures.add(
                    "bytes of indexes over Lucene, as left",
                    "",
                    (double) ownBytes / asLeft.byteCount());
            figures.add(
                    "bytes of indexes over Lucene, merged",
                    "",
                    (double) ownBytes / merged.byteCount());
        }

        @Override
        public void close() throws IOException {
            asLeft.close();
            divided.close();
            merged.close();
        }
    }

    /** Searches once after this process has given back all pages of the mapped files. */
    private static void searchReleased(Path files, List<Case> cases, Search search)
            throws Exception {
        new PageCache().release(files, "");
        double _ = seconds(cases, search);
    }

    private static double resident(Path files, String suffix) throws IOException {
        return PageCache.residentBytes(files, suffix) / 1e6;
    }

    private static void warmUp(List<Case> cases, Search search, double wanted) throws Exception {
        double seconds = 0;
        while (seconds < wanted) {
            seconds += seconds(cases, search);
        }
    }

    /**
     * Measures each search after one pass of it.
     *
     * @param searches ours, and that of Lucene's index as left, divided and merged
     */
    private static void compare(
            Figures figures, String what, List<Case> cases, List<Search> searches)
            throws Exception {
        var seconds = new double[searches.size()];
        for (int i = 0; i < TURNS; i++) {
            for (int j = 0; j < seconds.length; j++) {
                // After the other searches, the caches of the processor have their code and data.
                double _ = seconds(cases, searches.get(j));
                seconds[j] += seconds(cases, searches.get(j));
            }
        }
        double turns = 1_000.0 / (TURNS * cases.size());
        figures.add(what, "ms", turns * seconds[0]);
        for (int i = 0; i < FORMS.size(); i++) {
            double others = seconds[i + 1];
            figures.add(what + ", Lucene " + FORMS.get(i), "ms", turns * others);
            figures.add(what + ", over Lucene " + FORMS.get(i), "", seconds[0] / others);
        }
    }

    /** Returns the processor seconds of this thread. */
    private static double seconds(List<Case> cases, Search search) throws Exception {
        long begin = THREADS.getCurrentThreadCpuTime();
        for (Case each : cases) {
            search.find(each);
        }
        return (THREADS.getCurrentThreadCpuTime() - begin) / 1e9;
    }

    /** A search that returns how many mails match. */
    private interface Search {
        long find(Case searched) throws Exception;
    }

    /**
     * A query in both forms.
     *
     * @param kind of the query
     */
    record Case(String kind, QueryNode tree, Query query) {}

    private static List<Case> cases(MailTexts texts) {
        var cases = new ArrayList<Case>();
        for (int i = 0; i < COMMON.size(); i++) {
            String common = texts.word(COMMON.get(i));
            String other = texts.word(COMMON.get(i) + 1);
            String rare = texts.word(RARE.get(i));
            cases.add(words("a common word", List.of(common)));
            cases.add(words("a rare word", List.of(rare)));
            cases.add(words("two common words", List.of(common, other)));
            cases.add(words("a common and a rare word", List.of(common, rare)));
            cases.add(
                    new Case(
                            "weakAnd of three words",
                            new QueryNode.WeakAnd(terms(List.of(common, other, rare))),
                            LuceneTexts.anyOf(List.of(common, other, rare))));
            List<String> phrase = List.of(common, other);
            cases.add(
                    new Case(
                            "a phrase",
                            new QueryNode.Phrase("body", phrase, TermSettings.DEFAULT),
                            LuceneTexts.phrase(phrase)));
            int low = 100 * i;
            int high = low + MailNode.days(5) - 1;
            cases.add(
                    new Case(
                            "a range of 5 %",
                            new QueryNode.Range(
                                    "day",
                                    new RangeEnd.Whole(low, true),
                                    new RangeEnd.Whole(high, true),
                                    TermSettings.DEFAULT),
                            LuceneTexts.days(low, high)));
        }
        return cases;
    }

    private static Case words(String kind, List<String> words) {
        List<QueryNode> terms = terms(words);
        return new Case(
                kind,
                terms.size() == 1 ? terms.getFirst() : new QueryNode.And(terms),
                LuceneTexts.words(words));
    }

    private static List<QueryNode> terms(List<String> words) {
        return words.stream()
                .<QueryNode>map(word -> new QueryNode.Term("body", word, TermSettings.DEFAULT))
                .toList();
    }

    private static long bytes(Path folder, String suffix) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            long sum = 0;
            for (Path path : all.filter(Files::isRegularFile).toList()) {
                sum += path.toString().endsWith(suffix) ? Files.size(path) : 0;
            }
            return sum;
        }
    }
}
