package org.crabro.perf.search;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.lucene.search.Query;
import org.crabro.content.ContentNode;
import org.crabro.content.ContentSettings;
import org.crabro.content.ThreadSettings;
import org.crabro.content.sidecar.IndexSettings;
import org.crabro.content.sidecar.IndexedRun;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;
import org.crabro.document.FieldValue;
import org.crabro.document.LocationKey;
import org.crabro.document.operation.DocumentOperation;
import org.crabro.perf.compare.LuceneTexts;
import org.crabro.perf.data.GeneratedStore;
import org.crabro.perf.data.Items;
import org.crabro.perf.data.MailTexts;
import org.crabro.perf.harness.Benchmark;
import org.crabro.perf.harness.Figures;
import org.crabro.perf.harness.Scale;
import org.crabro.protocol.cluster.Partitions;
import org.crabro.protocol.feed.FeedRequest;
import org.crabro.protocol.grouping.GroupingSettings;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.RangeEnd;
import org.crabro.protocol.query.TermSettings;
import org.crabro.protocol.search.HitSettings;
import org.crabro.protocol.search.RankSettings;
import org.crabro.protocol.search.RankedQuery;
import org.crabro.protocol.search.ReplySettings;
import org.crabro.protocol.search.Scope;
import org.crabro.protocol.search.SearchReply;
import org.crabro.protocol.search.SearchRequest;
import org.crabro.protocol.search.SearchScope;
import org.crabro.protocol.search.SummarySettings;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;
import org.crabro.protocol.wire.RequestHeader;

/**
 * Searches of all mails of a type in mode {@code index}, in process and on one thread: with
 * indexes, without, and by an index of Lucene with the same fields. All count every hit.
 */
public final class IndexBenchmark implements Benchmark {
    private static final int MAILS = Scale.of(1_000_000);
    private static final int WRITERS = 64;
    private static final int DAYS = 1_000;
    private static final int TURNS = 5;

    /** The processor time of each kind of search before it is measured, so that it is compiled. */
    private static final double WARM_UP_SECONDS = 1;

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /** Ranks of searched words by how common they are. */
    private static final List<Integer> COMMON = List.of(20, 40, 60, 80);

    private static final List<Integer> RARE = List.of(3_000, 6_000, 12_000, 24_000);

    private static final Map<String, String> PACKAGE =
            Map.of(
                    "services.xml",
                    """
                    <services version="1.0">
                      <container id="default" version="1.0"><search/><document-api/></container>
                      <content id="mails" version="1.0">
                        <min-redundancy>1</min-redundancy>
                        <documents><document type="mail" mode="index"/></documents>
                      </content>
                    </services>
                    """,
                    "schemas/mail.sd",
                    """
                    schema mail {
                      document mail {
                        field day type int {
                          indexing: summary | attribute
                          attribute: fast-search
                        }
                        field body type string {
                          indexing: summary | index
                          stemming: none
                        }
                      }
                      document-summary ids { summary documentid {} }
                      rank-profile words { first-phase { expression: bm25(body) } }
                    }
                    """);

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
        ContentSettings settings =
                ContentSettings.in(data)
                        .withRecent(GeneratedStore.recent(1L << 30))
                        .withThreads(new ThreadSettings(1, 100, 1, 1))
                        .withIndex(IndexSettings.NONE);
        ContentNode node = ContentNode.open(settings);
        node.activate(GeneratedStore.compiled(PACKAGE));
        var texts = new MailTexts(2026);
        feed(node, settings.place().partitions(), texts);
        node.settle(Deadline.after(Duration.ofHours(1)));
        List<Case> cases = cases(texts);
        Searched searched = new Searched(node, settings.place().partitions());
        double scanned = seconds(cases, each -> searched.find(each, 0));
        long begin = THREADS.getCurrentThreadCpuTime();
        node.index(IndexSettings.DEFAULT);
        double building = (THREADS.getCurrentThreadCpuTime() - begin) / 1e9;
        Path luceneFolder = folder.resolve("lucene");
        begin = THREADS.getCurrentThreadCpuTime();
        LuceneTexts lucene =
                LuceneTexts.build(luceneFolder, MAILS, texts::body, IndexBenchmark::day);
        double luceneBuilding = (THREADS.getCurrentThreadCpuTime() - begin) / 1e9;
        for (Case each : cases) {
            long found = searched.find(each, 0);
            long expected = lucene.count(each.query());
            if (found != expected) {
                throw new IllegalStateException(
                        "%s: %d mails, by Lucene %d".formatted(each, found, expected));
            }
        }
        var isFirst = new AtomicBoolean(true);
        return new Prepared() {
            @Override
            public void measure(Figures figures) throws Exception {
                boolean isCold = isFirst.getAndSet(false);
                if (isCold) {
                    figures.add("index build", "mails per processor second", MAILS / building);
                    figures.add("index build over Lucene", "", luceneBuilding / building);
                    figures.add(
                            "bytes of indexes over runs",
                            "",
                            (double) bytes(data, IndexedRun.SUFFIX) / bytes(data, ".run"));
                    figures.add(
                            "bytes of indexes over Lucene",
                            "",
                            (double) bytes(data, IndexedRun.SUFFIX) / bytes(luceneFolder, ""));
                    figures.add("counting by scans", "ms", 1_000 * scanned / cases.size());
                }
                for (String kind : cases.stream().map(Case::kind).distinct().toList()) {
                    List<Case> some =
                            cases.stream().filter(each -> each.kind().equals(kind)).toList();
                    List<Search> counting =
                            List.of(
                                    each -> searched.find(each, 0),
                                    each -> lucene.count(each.query()));
                    List<Search> ranking =
                            List.of(
                                    each -> searched.find(each, 10),
                                    each -> lucene.best(each.query()));
                    if (isCold) {
                        warmUp(some, counting);
                        warmUp(some, ranking);
                    }
                    compare(figures, kind + ", counted", some, counting);
                    compare(figures, kind + ", ten best", some, ranking);
                }
            }

            @Override
            public void close() throws IOException {
                lucene.close();
                node.close();
            }
        };
    }

    private static void warmUp(List<Case> cases, List<Search> searches) throws Exception {
        for (Search each : searches) {
            double seconds = 0;
            while (seconds < WARM_UP_SECONDS) {
                seconds += seconds(cases, each);
            }
        }
    }

    /**
     * @param searches ours, and that of Lucene
     */
    private static void compare(
            Figures figures, String what, List<Case> cases, List<Search> searches)
            throws Exception {
        double seconds = 0;
        double lucene = 0;
        int count = 0;
        for (int i = 0; i < TURNS; i++) {
            seconds += seconds(cases, searches.getFirst());
            lucene += seconds(cases, searches.getLast());
            count += cases.size();
        }
        figures.add(what, "ms", 1_000 * seconds / count);
        figures.add(what + ", Lucene", "ms", 1_000 * lucene / count);
        figures.add(what + ", over Lucene", "", seconds / lucene);
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
    private record Case(String kind, QueryNode tree, Query query) {}

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
            List<String> phrase = List.of(common, other);
            cases.add(
                    new Case(
                            "a phrase",
                            new QueryNode.Phrase("body", phrase, TermSettings.DEFAULT),
                            LuceneTexts.phrase(phrase)));
            int low = 100 * i;
            cases.add(
                    new Case(
                            "a range of 5 %",
                            new QueryNode.Range(
                                    "day",
                                    new RangeEnd.Whole(low, true),
                                    new RangeEnd.Whole(low + DAYS / 20 - 1, true),
                                    TermSettings.DEFAULT),
                            LuceneTexts.days(low, low + DAYS / 20 - 1)));
        }
        return cases;
    }

    private static Case words(String kind, List<String> words) {
        List<QueryNode> terms =
                words.stream()
                        .<QueryNode>map(
                                word -> new QueryNode.Term("body", word, TermSettings.DEFAULT))
                        .toList();
        return new Case(
                kind,
                terms.size() == 1 ? terms.getFirst() : new QueryNode.And(terms),
                LuceneTexts.words(words));
    }

    /** Searches a node. */
    private record Searched(ContentNode node, Partitions partitions) {
        long find(Case searched, int hits) {
            SearchReply reply =
                    node.search(
                            new SearchRequest(
                                    header(),
                                    new SearchScope(
                                            IntStream.range(0, partitions.count()).boxed().toList(),
                                            "mail",
                                            new Scope.Everything(),
                                            List.of()),
                                    new RankedQuery(
                                            searched.tree(),
                                            new RankSettings(
                                                    "words",
                                                    Map.of(),
                                                    RankSettings.Statistics.NONE,
                                                    0)),
                                    new HitSettings(
                                            hits, List.of(), new SummarySettings("ids", List.of())),
                                    GroupingSettings.NONE,
                                    new ReplySettings(false, 0)));
            if (reply instanceof SearchReply.Found found
                    && found.report().coverage().documents() == MAILS) {
                return found.totalCount();
            }
            throw new IllegalStateException("not all was searched: " + reply);
        }
    }

    private static RequestHeader header() {
        return new RequestHeader(Principal.EVERYONE, 1, Deadline.after(Duration.ofMinutes(10)));
    }

    private static void feed(ContentNode node, Partitions partitions, MailTexts texts)
            throws Exception {
        var next = new AtomicInteger();
        Items.onThreads(
                Executors.newFixedThreadPool(WRITERS),
                WRITERS,
                () -> {
                    for (int i = next.getAndIncrement(); i < MAILS; i = next.getAndIncrement()) {
                        var id = new DocumentId("perf", "mail", new LocationKey.Plain(), "m" + i);
                        Map<String, FieldValue> fields =
                                Map.of(
                                        "day",
                                        new FieldValue.IntValue(day(i)),
                                        "body",
                                        new FieldValue.StringValue(
                                                new String(texts.body(i), UTF_8)));
                        Items.check(
                                node.feed(
                                        new FeedRequest(
                                                header(),
                                                partitions.of(id.location()),
                                                new DocumentOperation.Put(
                                                        new Document(id, fields)))));
                    }
                });
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

    private static int day(int mail) {
        return (int) (Integer.toUnsignedLong(mail * 0x9e3779b1) % DAYS);
    }
}
