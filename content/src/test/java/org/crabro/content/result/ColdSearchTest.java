package org.crabro.content.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import org.crabro.content.journal.LogFiles;
import org.crabro.content.journal.MemoryLogFiles;
import org.crabro.content.run.ColdFiles;
import org.crabro.content.run.KeyRange;
import org.crabro.content.run.ReadAhead;
import org.crabro.content.run.RunLog;
import org.crabro.content.run.SortKey;
import org.crabro.content.run.StoredTypes;
import org.crabro.document.Document;
import org.crabro.document.DocumentType;
import org.crabro.protocol.encoding.Row;
import org.crabro.protocol.encoding.RowEncoding;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.search.SearchReply;
import org.crabro.protocol.search.SearchRequest;
import org.crabro.protocol.search.SortKey.FieldValueOf;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Searches of files of which nothing is in memory find what searches of warm files find. */
class ColdSearchTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);
    private static final StoredTypes TYPES =
            fingerprint ->
                    List.of(Mails.TYPE, Mails.OLD_TYPE).stream()
                            .filter(type -> type.fingerprint() == fingerprint)
                            .findFirst();

    private final ForkJoinPool pool = new ForkJoinPool(3);
    private final ExecutorService disk = Executors.newFixedThreadPool(4);
    private final Search search = new Search(pool, new ReadAhead(disk), 3, 3);

    @AfterEach
    void stop() {
        pool.close();
        disk.close();
    }

    @Test
    void findsTheSame() throws IOException {
        var queries = new RandomQueries(SEED);
        List<String> profiles = Mails.PROFILES.keySet().stream().sorted().toList();
        var cold = new ColdFiles(new MemoryLogFiles());
        try (var archive = new Archive(SEED, 2_000);
                RunLog warmLog = log(new MemoryLogFiles(), archive.documents());
                RunLog coldLog = log(cold, archive.documents())) {
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
                SearchReply.Found found = search(coldLog, request);

                assertThat(found.hits())
                        .as("%s, seed %d", request, SEED)
                        .isEqualTo(expected.hits());
                assertThat(found.totalCount()).isEqualTo(expected.totalCount());
                assertThat(found.coverage()).isEqualTo(expected.coverage());
                // Two threads may wait for one page where blocks meet.
                assertThat(found.cost().deviceBytes())
                        .isBetween(cold.loadedBytes(), cold.loadedBytes() + (64 << 10));
                assertThat(expected.cost().deviceBytes()).isZero();
            }
        }
        assertThat(search.statistics().setAside()).isZero();
        assertThat(search.statistics().deviceBytes()).isPositive();
    }

    @Test
    void readsNothingASecondTime() throws IOException {
        var cold = new ColdFiles(new MemoryLogFiles());
        try (var archive = new Archive(SEED, 500);
                RunLog log = log(cold, archive.documents())) {
            cold.evict();
            SearchRequest request =
                    SearchTest.request(
                            new QueryNode.All(),
                            "default",
                            List.of(),
                            10,
                            new KeyRange.Everything());

            assertThat(search(log, request).cost().deviceBytes()).isPositive();
            assertThat(search(log, request).cost().deviceBytes()).isZero();
        }
    }

    private SearchReply.Found search(RunLog log, SearchRequest request) {
        SearchReply reply = search.run(request, Mails.SCHEMA, List.of(log.acquire()));
        assertThat(reply).isInstanceOf(SearchReply.Found.class);
        return (SearchReply.Found) reply;
    }

    private static RunLog log(LogFiles files, List<Document> documents) throws IOException {
        RunLog log = RunLog.open(files, "partitions/00", TYPES);
        DocumentType type = Mails.TYPE;
        var rows = new TreeMap<SortKey, Row>();
        for (Document document : documents) {
            rows.put(
                    SortKey.of(document.id()),
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
