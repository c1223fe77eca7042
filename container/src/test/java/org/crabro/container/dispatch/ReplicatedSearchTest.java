package org.crabro.container.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.crabro.document.DocumentId;
import org.crabro.protocol.grouping.GroupingSettings;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.search.Coverage;
import org.crabro.protocol.search.HitSettings;
import org.crabro.protocol.search.QueryCost;
import org.crabro.protocol.search.RankSettings;
import org.crabro.protocol.search.RankedQuery;
import org.crabro.protocol.search.ReplySettings;
import org.crabro.protocol.search.Scope;
import org.crabro.protocol.search.SearchHit;
import org.crabro.protocol.search.SearchReply;
import org.crabro.protocol.search.SearchReply.Found;
import org.crabro.protocol.search.SearchReport;
import org.crabro.protocol.search.SearchRequest;
import org.crabro.protocol.search.SearchScope;
import org.crabro.protocol.search.SummarySettings;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;
import org.crabro.protocol.wire.RequestHeader;
import org.junit.jupiter.api.Test;

class ReplicatedSearchTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);
    private static final int PARTITIONS = 8;
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final Duration SHORT = Duration.ofMillis(20);

    /** A node, which leads some partitions. Partition p has p + 1 documents. */
    private final class Node {
        private final int number;
        private boolean isUp = true;
        private SearchReply reply = new SearchReply.WrongOwner(0);
        private int requests;

        private final ClusterNodes access;

        Node(int number) {
            this.number = number;
            this.access = new ClusterNodes(new RecordingNodes(), this::search);
        }

        synchronized SearchReply search(SearchRequest request) {
            requests++;
            if (!isUp) {
                return new SearchReply.Unavailable("node " + number + " is down");
            }
            if (!(reply instanceof SearchReply.WrongOwner)) {
                return reply;
            }
            List<SearchHit> hits = new ArrayList<>();
            int count = 0;
            for (int partition : request.scope().partitions()) {
                if (leaders[partition] != number) {
                    return new SearchReply.WrongOwner(2);
                }
                hits.add(hit(partition));
                count += partition + 1;
            }
            if (request.grouping().isWhole()) {
                assertThat(request.scope().partitions()).hasSize(asked);
            }
            return new Found(
                    hits,
                    count,
                    List.of(),
                    new SearchReport(
                            new Coverage(count, count, false),
                            QueryCost.NONE,
                            List.of(),
                            List.of()));
        }
    }

    private final int[] leaders = new int[PARTITIONS];
    private final List<Node> nodes = IntStream.range(0, 4).mapToObj(Node::new).toList();
    private final List<List<Node>> replicas = new ArrayList<>();
    private final ReplicatedSearch search =
            new ReplicatedSearch(
                    partition -> replicas.get(partition).stream().map(node -> node.access).toList(),
                    Runnable::run);
    private int asked;

    @Test
    void mergesTheResultsOfTheLeaders() {
        for (int partition = 0; partition < PARTITIONS; partition++) {
            leaders[partition] = partition % 3;
            replicas.add(List.of(nodes.get(partition % 3)));
        }

        var merged = (Found) search(LONG, 0, 1, 2, 3, 4, 5, 6, 7);

        assertThat(merged.totalCount()).isEqualTo(36);
        assertThat(merged.report().coverage()).isEqualTo(new Coverage(36, 36, false));
        assertThat(merged.hits()).extracting(hit -> (int) hit.relevance()).containsExactly(7, 6, 5);
        assertThat(nodes).extracting(node -> node.requests).containsExactly(1, 1, 1, 0);
    }

    @Test
    void asksOneNodeOnceIfItLeadsAll() {
        for (int partition = 0; partition < PARTITIONS; partition++) {
            replicas.add(List.of(nodes.getFirst(), nodes.get(1)));
        }

        assertThat(((Found) search(LONG, 2, 5)).totalCount()).isEqualTo(9);
        assertThat(nodes).extracting(node -> node.requests).containsExactly(1, 0, 0, 0);
    }

    /** What is known of leaders is wrong, and some nodes are down. */
    @Test
    void searchesEachPartitionOnceIfItsLeaderIsUp() {
        for (long seed = SEED; seed < SEED + 300; seed++) {
            var random = new Random(seed);
            replicas.clear();
            nodes.forEach(node -> node.isUp = random.nextInt(5) > 0);
            Set<Integer> led = new HashSet<>();
            List<Integer> partitions = new ArrayList<>();
            for (int partition = 0; partition < PARTITIONS; partition++) {
                List<Node> having = new ArrayList<>(nodes);
                having.remove(random.nextInt(4));
                replicas.add(having);
                leaders[partition] = having.get(random.nextInt(3)).number;
                if (random.nextInt(4) > 0) {
                    partitions.add(partition);
                    if (nodes.get(leaders[partition]).isUp) {
                        led.add(partition);
                    }
                }
            }
            int[] all = partitions.stream().mapToInt(each -> each).toArray();

            SearchReply reply = search(led.size() == all.length ? LONG : SHORT, all);

            String what = "seed " + seed;
            if (led.isEmpty() && all.length > 0) {
                assertThat(reply).as(what).isInstanceOf(SearchReply.Unavailable.class);
                continue;
            }
            if (all.length == 0) {
                continue;
            }
            var merged = (Found) reply;
            int count = led.stream().mapToInt(partition -> partition + 1).sum();
            assertThat(merged.totalCount()).as(what).isEqualTo(count);
            Coverage coverage = merged.report().coverage();
            assertThat(coverage.documents()).as(what).isEqualTo(count);
            if (led.size() == all.length) {
                assertThat(coverage.total()).as(what).isEqualTo(count);
                assertThat(merged.report().warnings()).as(what).isEmpty();
            } else {
                assertThat(coverage.total()).as(what).isGreaterThan(count);
                assertThat(merged.report().warnings())
                        .as(what)
                        .singleElement()
                        .asString()
                        .startsWith(
                                "%d of %d partitions were not searched: "
                                        .formatted(all.length - led.size(), all.length));
            }
        }
    }

    @Test
    void waitsForALeader() {
        List<Node> started = new ArrayList<>();
        var late =
                new ReplicatedSearch(
                        _ -> {
                            if (started.size() < 2) {
                                started.add(nodes.getLast());
                                return List.of();
                            }
                            return List.of(nodes.getFirst().access);
                        },
                        Runnable::run);
        asked = 1;

        assertThat(((Found) late.search(request(LONG, List.of(3)))).totalCount()).isEqualTo(4);
    }

    @Test
    void reportsTheFailure() {
        for (int partition = 0; partition < PARTITIONS; partition++) {
            replicas.add(List.of());
        }
        assertThat(search(SHORT, 0, 1))
                .isEqualTo(new SearchReply.Unavailable("no content node is known to lead them"));
        replicas.replaceAll(_ -> List.of(nodes.getFirst()));
        nodes.getFirst().isUp = false;
        assertThat(search(SHORT, 0, 1)).isEqualTo(new SearchReply.Unavailable("node 0 is down"));
        nodes.getFirst().isUp = true;
        for (SearchReply reply :
                List.of(
                        new SearchReply.Rejected("no such field"),
                        new SearchReply.Overloaded("too many"),
                        new SearchReply.TimedOut(),
                        new SearchReply.Failed("a block is damaged"))) {
            nodes.get(1).reply = reply;
            replicas.set(1, List.of(nodes.get(1)));
            leaders[1] = 1;
            assertThat(search(SHORT, 1)).isEqualTo(reply);
            boolean isPartial =
                    reply instanceof SearchReply.Failed || reply instanceof SearchReply.TimedOut;
            SearchReply both = search(SHORT, 0, 1);
            assertThat(both instanceof Found).as(both.toString()).isEqualTo(isPartial);
        }
    }

    private SearchReply search(Duration timeout, int... partitions) {
        asked = partitions.length;
        return search.search(request(timeout, IntStream.of(partitions).boxed().toList()));
    }

    private static SearchRequest request(Duration timeout, List<Integer> partitions) {
        return new SearchRequest(
                new RequestHeader(Principal.EVERYONE, 1, Deadline.after(timeout)),
                new SearchScope(partitions, "t", new Scope.Everything(), List.of()),
                new RankedQuery(
                        new QueryNode.All(),
                        new RankSettings("default", Map.of(), RankSettings.Statistics.GROUP, 0)),
                new HitSettings(3, List.of(), SummarySettings.DEFAULT),
                GroupingSettings.NONE,
                new ReplySettings(true, 0));
    }

    private static SearchHit hit(int partition) {
        return new SearchHit(
                DocumentId.parse("id:n:t::" + partition), partition, List.of(), Map.of(), Map.of());
    }
}
