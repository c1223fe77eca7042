package org.crabro.content.search.execution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.Stream;
import org.crabro.content.storage.block.SearchedTexts;
import org.crabro.content.storage.block.key.KeyRange;
import org.crabro.content.storage.block.key.RowKey;
import org.crabro.content.storage.journal.LogFiles;
import org.crabro.content.storage.journal.MemoryLogFiles;
import org.crabro.content.storage.layout.ChunkExtent;
import org.crabro.content.storage.partition.ColdFiles;
import org.crabro.content.storage.partition.RunLog;
import org.crabro.content.storage.read.BlockSlice;
import org.crabro.content.storage.read.ReadAhead;
import org.crabro.content.storage.run.RunView;
import org.crabro.content.storage.run.SearchedTypes;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.FieldValue;
import org.crabro.protocol.encoding.Row;
import org.crabro.protocol.encoding.RowEncoding;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.TermSettings;
import org.crabro.protocol.search.SearchReply;
import org.crabro.protocol.search.SearchRequest;
import org.crabro.protocol.search.SortKey.FieldValueOf;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A search of files that are not in memory finds the same as a search of files in memory. */
class ColdSearchTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);
    private final ForkJoinPool pool = new ForkJoinPool(3);
    private final ExecutorService disk = Executors.newFixedThreadPool(4);
    private final Search search = new Search(pool, new ReadAhead(disk, 1), 3, 3);

    @AfterEach
    void stop() {
        pool.close();
        disk.close();
    }

    private static Optional<DocumentType> type(long fingerprint) {
        return Stream.of(Mails.TYPE, Mails.OLD_TYPE)
                .filter(type -> type.fingerprint() == fingerprint)
                .findFirst();
    }

    @Test
    void findsTheSame() throws IOException {
        findsTheSame(SearchedTexts.NONE);
    }

    @Test
    void findsTheSameByWords() throws IOException {
        findsTheSame(Mails.SEARCHED_TEXTS);
    }

    private void findsTheSame(SearchedTexts texts) throws IOException {
        var queries = new RandomQueries(SEED);
        List<String> profiles = Mails.PROFILES.keySet().stream().sorted().toList();
        var cold = new ColdFiles(new MemoryLogFiles());
        try (var archive = new Archive(SEED, 2_000);
                RunLog warmLog =
                        log(new MemoryLogFiles(), SearchedTexts.NONE, archive.documents());
                RunLog coldLog = log(cold, texts, archive.documents())) {
            for (int i = 0; i < 60; i++) {
                SearchRequest request =
                        SearchTest.request(
                                queries.tree(3),
                                profiles.get(queries.number(profiles.size())),
                                i % 4 == 0 ? List.of(new FieldValueOf("lang", true)) : List.of(),
                                queries.number(30),
                                queries.number(2) == 0
                                        ? new KeyRange.Group("user2")
                                        : new KeyRange.Everything());
                cold.evict();

                SearchReply.Found expected = search(warmLog, request);
                SearchReply.Found reply = search(coldLog, request);

                assertThat(reply.hits())
                        .as("%s, seed %d", request, SEED)
                        .isEqualTo(expected.hits());
                assertThat(reply.totalCount()).isEqualTo(expected.totalCount());
                assertThat(reply.report().coverage()).isEqualTo(expected.report().coverage());
                // Hits of one block share pages, which several threads may wait for: they count
                // once.
                assertThat(reply.report().cost().deviceBytes())
                        .as("%s, seed %d", request, SEED)
                        .isEqualTo(cold.loadedBytes());
                assertThat(expected.report().cost().deviceBytes()).isZero();
            }
        }
        assertThat(search.statistics().setAside()).isZero();
        assertThat(search.statistics().deviceBytes()).isPositive();
    }

    @Test
    void readsNothingASecondTime() throws IOException {
        var cold = new ColdFiles(new MemoryLogFiles());
        try (var archive = new Archive(SEED, 500);
                RunLog log = log(cold, SearchedTexts.NONE, archive.documents())) {
            cold.evict();
            SearchRequest request =
                    SearchTest.request(
                            new QueryNode.All(),
                            "default",
                            List.of(),
                            10,
                            new KeyRange.Everything());

            assertThat(search(log, request).report().cost().deviceBytes()).isPositive();
            assertThat(search(log, request).report().cost().deviceBytes()).isZero();
        }
    }

    private SearchReply.Found search(RunLog log, SearchRequest request) {
        SearchReply reply = search.run(request, Mails.SCHEMA, List.of(log.acquire()));
        assertThat(reply).isInstanceOf(SearchReply.Found.class);
        return (SearchReply.Found) reply;
    }

    @Test
    void readsOfWordsTheDictionaryAndWhereTheyMayStandWhatIsInScope() throws IOException {
        var cold = new ColdFiles(new MemoryLogFiles());
        var documents = new ArrayList<Document>();
        var random = new Random(SEED);
        // One block of two groups: the file is read from where the first ends.
        for (String group : List.of("few", "many")) {
            for (int i = 0; i < (group.equals("few") ? 3 : 400); i++) {
                var body = new StringBuilder(i == 0 ? "needle" : "");
                for (int word = 0; word < 300; word++) {
                    body.append(" w").append(random.nextInt(60));
                }
                documents.add(
                        new Document(
                                DocumentId.parse("id:t:mail:g=" + group + ":" + i),
                                Map.of("body", new FieldValue.StringValue(body.toString()))));
            }
        }
        try (RunLog log = log(cold, Mails.SEARCHED_TEXTS, documents)) {
            long dictionary = 0;
            long numbers = 0;
            int blocks = 0;
            try (RunView view = log.acquire()) {
                for (BlockSlice slice : view.slices("mail", new KeyRange.Everything())) {
                    for (ChunkExtent chunk : slice.block().extents("body")) {
                        dictionary +=
                                chunk.part() == ChunkExtent.Part.TOKEN_DICTIONARY
                                        ? chunk.length()
                                        : 0;
                        numbers +=
                                chunk.part() == ChunkExtent.Part.TOKEN_NUMBERS ? chunk.length() : 0;
                    }
                    blocks++;
                }
            }

            long absent = read(cold, log, "w60", new KeyRange.Group("many"));
            long everywhere = read(cold, log, "w1", new KeyRange.Group("many"));
            long few = read(cold, log, "w1", new KeyRange.Group("few"));

            assertThat(numbers).isGreaterThan(80_000);
            assertThat(absent).isLessThan(dictionary + blocks * 16_384L).isLessThan(numbers);
            assertThat(everywhere).isGreaterThan(absent + numbers * 9 / 10);
            assertThat(few).isLessThan(64 << 10);
        }
    }

    /** Returns the bytes that the search for a word reads. */
    private long read(ColdFiles cold, RunLog log, String word, KeyRange range) {
        cold.evict();
        var term = new QueryNode.Term("body", word, TermSettings.DEFAULT);
        search(log, SearchTest.request(term, "unranked", List.of(), 0, range));
        return cold.loadedBytes();
    }

    private static RunLog log(LogFiles files, SearchedTexts texts, List<Document> documents)
            throws IOException {
        RunLog log =
                RunLog.open(files, "partitions/00", new SearchedTypes(ColdSearchTest::type, texts));
        DocumentType type = Mails.TYPE;
        var rows = new TreeMap<RowKey, Row>();
        for (Document document : documents) {
            rows.put(
                    RowKey.of(document.id()),
                    new Row(document.id(), 1, type.fingerprint(), false, document.fields()));
        }
        log.add(
                run -> {
                    run.begin(type);
                    for (var row : rows.entrySet()) {
                        byte[] bytes = RowEncoding.encode(row.getValue(), type);
                        run.add(row.getKey(), MemorySegment.ofArray(bytes));
                    }
                },
                1,
                1,
                1);
        return log;
    }
}
