package org.crabro.content.search.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Random;
import java.util.concurrent.ForkJoinPool;
import org.assertj.core.groups.Tuple;
import org.crabro.content.storage.block.key.KeyRange;
import org.crabro.content.storage.read.ReadAhead;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.search.HitOrder;
import org.crabro.protocol.search.RankLimits;
import org.crabro.protocol.search.SearchHit;
import org.crabro.protocol.search.SearchReply;
import org.crabro.protocol.search.SearchRequest;
import org.crabro.protocol.search.SortKey;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Tests the second phase and score limits against the same computation on all hits of each phase.
 */
class PhasesTest {
    private static final long SEED = Long.getLong("crabro.seed", 20_261_121);
    private static final int MAILS = 300;

    private static Archive archive;
    private static ForkJoinPool pool;
    private static Search search;

    @BeforeAll
    static void fill() {
        archive = new Archive(SEED, MAILS);
        pool = new ForkJoinPool(2);
        search = new Search(pool, new ReadAhead(Runnable::run, 1), 2, 2);
    }

    @AfterAll
    static void close() {
        archive.close();
        pool.close();
    }

    @Test
    void scoresAllByTheSecondPhaseWhereNoCountIsGiven() {
        SearchReply.Found second = run("steps", RankLimits.NONE, MAILS);

        SearchReply.Found both = run("again", RankLimits.NONE, MAILS);

        assertThat(scores(both.hits())).isEqualTo(scores(second.hits()));
    }

    @Test
    void skipsTheSecondPhaseIfItsCountIsZero() {
        SearchReply.Found first = run("default", RankLimits.NONE, 20);

        SearchReply.Found both = run("again", limits(0, OptionalDouble.empty()), 20);

        assertThat(scores(both.hits())).isEqualTo(scores(first.hits()));
    }

    @Test
    void scoresTheBestAgain() {
        var random = new Random(SEED);
        List<SearchHit> first = run("default", RankLimits.NONE, MAILS).hits();
        Map<String, Double> second = new LinkedHashMap<>();
        run("steps", RankLimits.NONE, MAILS)
                .hits()
                .forEach(hit -> second.put(hit.id().toString(), hit.relevance()));
        for (int i = 0; i < 50; i++) {
            int count = 1 + random.nextInt(MAILS);
            int hits = 1 + random.nextInt(MAILS);
            OptionalDouble drop =
                    random.nextBoolean()
                            ? OptionalDouble.empty()
                            : OptionalDouble.of(random.nextInt(10) - 2);

            SearchReply.Found again = run("again", limits(count, drop), hits);

            List<SearchHit> best = first.subList(0, Math.min(first.size(), Math.max(count, hits)));
            List<SearchHit> expected = again(best, Math.min(count, best.size()), second);
            List<SearchHit> left =
                    expected.stream()
                            .filter(hit -> drop.isEmpty() || hit.relevance() > drop.getAsDouble())
                            .toList();
            assertThat(scores(again.hits()))
                    .as("%d of %d, drop %s, seed %d", count, hits, drop, SEED)
                    .isEqualTo(scores(left.subList(0, Math.min(hits, left.size()))));
            // Rows after the kept ones are not scored, and are always sorted after them.
            assertThat(again.totalCount())
                    .as("%d of %d, drop %s, seed %d", count, hits, drop, SEED)
                    .isEqualTo(left.size() < expected.size() ? left.size() : first.size());
        }
    }

    /** A row that is not scored again must not be sorted before one that is. */
    private static List<SearchHit> again(
            List<SearchHit> reranked, int count, Map<String, Double> second) {
        List<SearchHit> scored = new ArrayList<>();
        double low = Double.POSITIVE_INFINITY;
        double high = Double.NEGATIVE_INFINITY;
        for (SearchHit hit : reranked.subList(0, count)) {
            double score = Objects.requireNonNull(second.get(hit.id().toString()));
            low = Math.min(low, score);
            high = Math.max(high, score);
            scored.add(hit.withRelevance(score));
        }
        double worst = reranked.get(count - 1).relevance();
        double best = reranked.getFirst().relevance();
        double scale = Math.max(high - low, 1) / Math.max(best - worst, 1);
        for (SearchHit hit : reranked.subList(count, reranked.size())) {
            double moved = hit.relevance() * scale + (low - worst * scale);
            double score = worst > low ? moved : hit.relevance();
            scored.add(
                    hit.withRelevance(Double.isFinite(score) ? score : Double.NEGATIVE_INFINITY));
        }
        scored.sort(new HitOrder(List.of()));
        return scored;
    }

    @Test
    void passesRanksOfTheFirstPhaseToTheSecond() {
        List<SearchHit> first = run("default", RankLimits.NONE, MAILS).hits();
        int count = 120;
        List<Tuple> expected = new ArrayList<>();
        for (int rank = count; rank >= 1; rank--) {
            double score = 10 * rank + first.getFirst().relevance();
            expected.add(tuple(first.get(rank - 1).id().toString(), score));
        }

        List<SearchHit> placed = run("placed", limits(count, OptionalDouble.empty()), MAILS).hits();

        assertThat(scores(placed.subList(0, count))).isEqualTo(expected);
        assertThat(run("placed", RankLimits.NONE, MAILS).hits())
                .as("where all are scored by the second phase alone there are no places")
                .extracting(SearchHit::relevance)
                .containsOnly(Double.NEGATIVE_INFINITY);
    }

    @Test
    void keepsTheOrderAskedFor() {
        List<SortKey> bySize = List.of(new SortKey.FieldValueOf("size", true));

        SearchReply.Found sorted = run("again", limits(5, OptionalDouble.empty()), 10, bySize);

        assertThat(sorted.hits().stream().map(hit -> hit.id().toString()))
                .isEqualTo(
                        run("default", RankLimits.NONE, 10, bySize).hits().stream()
                                .map(hit -> hit.id().toString())
                                .toList());
    }

    @Test
    void letsOnlyScoresAboveTheLimitMatch() {
        List<SearchHit> all = run("default", RankLimits.NONE, MAILS).hits();
        double limit = all.get(all.size() / 2).relevance();
        List<SearchHit> above = all.stream().filter(hit -> hit.relevance() > limit).toList();
        var limits =
                new RankLimits(
                        OptionalDouble.of(limit), OptionalInt.empty(), OptionalDouble.empty());

        SearchReply.Found result = run("default", limits, MAILS);
        SearchReply.Found byName =
                run("default", limits, MAILS, List.of(new SortKey.DocumentIds(true)));

        assertThat(above).isNotEmpty().hasSizeLessThan(all.size());
        assertThat(scores(result.hits())).isEqualTo(scores(above));
        assertThat(result.totalCount()).isEqualTo(above.size());
        assertThat(scores(byName.hits()))
                .isEqualTo(
                        scores(
                                above.stream()
                                        .sorted(Comparator.comparing(hit -> hit.id().toString()))
                                        .toList()));
        assertThat(byName.totalCount()).isEqualTo(above.size());
    }

    private static RankLimits limits(int count, OptionalDouble drop) {
        return new RankLimits(OptionalDouble.empty(), OptionalInt.of(count), drop);
    }

    private static List<Tuple> scores(List<SearchHit> hits) {
        return hits.stream().map(hit -> tuple(hit.id().toString(), hit.relevance())).toList();
    }

    private static SearchReply.Found run(String profile, RankLimits limits, int hits) {
        return run(profile, limits, hits, List.of());
    }

    private static SearchReply.Found run(
            String profile, RankLimits limits, int hits, List<SortKey> sorting) {
        SearchRequest request =
                SearchTest.request(
                        new QueryNode.All(), profile, sorting, hits, new KeyRange.Everything());
        return (SearchReply.Found)
                search.run(request.with(limits), Mails.SCHEMA, List.copyOf(archive.views(1)));
    }
}
