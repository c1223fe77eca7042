package org.crabro.content.search.execution;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.crabro.content.storage.block.key.KeyRange;
import org.crabro.content.storage.read.ReadAhead;
import org.crabro.document.DocumentId;
import org.crabro.document.FieldValue;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.search.HitPosition;
import org.crabro.protocol.search.SearchHit;
import org.crabro.protocol.search.SearchReply;
import org.crabro.protocol.search.SearchRequest;
import org.crabro.protocol.search.SortKey;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Reads all hits page by page. Each page begins after the last hit of the page before. */
class SearchAfterTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);

    private static final int ALL = 1_000;

    private final ExecutorService pool = Executors.newFixedThreadPool(3);
    private final Search search = new Search(pool, new ReadAhead(Runnable::run, 1), 3, 3);

    @AfterEach
    void stop() {
        pool.close();
    }

    @Test
    void comesToAllHitsInTheirOrderWhateverTheyAreSortedBy() {
        var random = new Random(SEED);
        var queries = new RandomQueries(SEED);
        for (List<SortKey> sorting : SearchTest.SORTINGS) {
            try (var archive = new Archive(random.nextLong(), 60)) {
                QueryNode tree = random.nextBoolean() ? new QueryNode.All() : queries.tree(2);
                SearchRequest all =
                        SearchTest.request(tree, "steps", sorting, ALL, new KeyRange.Everything());
                SearchReply.Found whole = run(all, archive);
                List<SearchHit> paged = new ArrayList<>();
                Optional<HitPosition> after = Optional.empty();
                while (true) {
                    SearchRequest page =
                            SearchTest.request(
                                    tree,
                                    "steps",
                                    sorting,
                                    1 + random.nextInt(7),
                                    new KeyRange.Everything());
                    SearchReply.Found next = run(after.map(page::after).orElse(page), archive);
                    assertThat(next.totalCount()).isEqualTo(whole.totalCount());
                    if (next.hits().isEmpty()) {
                        break;
                    }
                    paged.addAll(next.hits());
                    after = Optional.of(HitPosition.of(next.hits().getLast()));
                }

                assertThat(paged)
                        .as("%s by %s, seed %d", tree, sorting, SEED)
                        .isEqualTo(whole.hits());
            }
        }
    }

    @Test
    void goesOnBehindAHitThatIsNotThere() {
        try (var archive = new Archive(SEED, 60)) {
            List<SortKey> sorting = List.of(new SortKey.FieldValueOf("size", true));
            SearchRequest all =
                    SearchTest.request(
                            new QueryNode.All(), "steps", sorting, ALL, new KeyRange.Everything());
            List<SearchHit> whole = run(all, archive).hits();
            SearchHit hit = whole.get(whole.size() / 2);
            // One position after the hit, and before every other id with this value; and one before
            // the hit.
            DocumentId behind = DocumentId.parse(hit.id() + "\t");
            var position = new HitPosition(0, hit.sortValues(), behind);

            assertThat(run(all.after(position), archive).hits())
                    .isEqualTo(whole.subList(whole.size() / 2 + 1, whole.size()));
        }
    }

    @Test
    void refusesHitsOfAnotherOrder() {
        try (var archive = new Archive(SEED, 10)) {
            List<SortKey> sorting = List.of(new SortKey.FieldValueOf("size", true));
            SearchRequest request =
                    SearchTest.request(
                            new QueryNode.All(), "steps", sorting, 5, new KeyRange.Everything());
            DocumentId id = DocumentId.parse("id:a:mail::1");
            for (List<Optional<FieldValue>> values :
                    List.of(
                            List.<Optional<FieldValue>>of(),
                            List.of(Optional.<FieldValue>of(new FieldValue.StringValue("x"))))) {
                SearchReply reply =
                        search.run(
                                request.after(new HitPosition(0, values, id)),
                                Mails.SCHEMA,
                                List.copyOf(archive.views(1)));

                assertThat(reply).isInstanceOf(SearchReply.Rejected.class);
                assertThat(((SearchReply.Rejected) reply).reason()).startsWith("after: ");
            }
        }
    }

    private SearchReply.Found run(SearchRequest request, Archive archive) {
        return (SearchReply.Found) search.run(request, Mails.SCHEMA, List.copyOf(archive.views(2)));
    }
}
