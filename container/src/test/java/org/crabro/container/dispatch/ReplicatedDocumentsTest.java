package org.crabro.container.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.crabro.document.DocumentId;
import org.crabro.document.LocationKey;
import org.crabro.protocol.cluster.PartitionPosition;
import org.crabro.protocol.feed.EncodedWrite;
import org.crabro.protocol.feed.FeedBatchReply;
import org.crabro.protocol.feed.FeedBatchRequest;
import org.crabro.protocol.feed.FeedReply;
import org.crabro.protocol.feed.FeedRequest;
import org.crabro.protocol.feed.FeedRowRequest;
import org.crabro.protocol.feed.GetReply;
import org.crabro.protocol.feed.GetRequest;
import org.crabro.protocol.feed.OperationId;
import org.crabro.protocol.feed.ReadHold;
import org.crabro.protocol.feed.RemoveGroupRequest;
import org.crabro.protocol.search.SearchReply;
import org.crabro.protocol.visit.VisitReply;
import org.crabro.protocol.visit.VisitRequest;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;
import org.crabro.protocol.wire.RequestHeader;
import org.junit.jupiter.api.Test;

class ReplicatedDocumentsTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);
    private static final int PARTITIONS = 4;
    private static final RequestHeader HEADER = header(Duration.ofMinutes(10));

    private final Random random = new Random(SEED);

    /** The node that leads each partition. */
    private final int[] leaders = new int[PARTITIONS];

    /** The writes of each document that were carried out, by their index in the request. */
    private final Map<DocumentId, List<Integer>> written = new HashMap<>();

    private final List<Node> nodes = IntStream.range(0, 3).mapToObj(Node::new).toList();
    private final ReplicatedDocuments documents =
            new ReplicatedDocuments(
                    _ -> nodes.stream().map(node -> node.access).toList(), Runnable::run);

    /** The replies of leaders to the next writes; later ones are stored. */
    private final Deque<FeedReply> replies = new ArrayDeque<>();

    /** Whether leaders change while a batch is carried out, and replies get lost. */
    private boolean isRestless;

    /** The ids of the writes that were carried out, without {@code lowest} and {@code isRetry}. */
    private final Set<OperationId> done = new HashSet<>();

    /** The ids in the order in which they arrived. */
    private final List<OperationId> arrived = new ArrayList<>();

    /** A node that carries out what it leads. */
    private final class Node implements DocumentNodes {
        private final int number;
        private boolean isUp = true;
        private final ClusterNodes access =
                new ClusterNodes(this, _ -> new SearchReply.WrongOwner(1));

        Node(int number) {
            this.number = number;
        }

        private FeedReply write(int partition, Optional<OperationId> id) {
            arrived.add(id.orElseThrow());
            if (!isUp) {
                return new FeedReply.Unavailable("down");
            }
            if (leaders[partition] != number) {
                return new FeedReply.WrongOwner(1);
            }
            return replies.isEmpty()
                    ? new FeedReply.Stored(number, new PartitionPosition(partition, 1))
                    : replies.removeFirst();
        }

        @Override
        public FeedReply feed(FeedRequest request) {
            return write(request.partition(), request.id());
        }

        @Override
        public FeedReply feed(FeedRowRequest request) {
            return write(request.write().write().partition(), request.id());
        }

        @Override
        public FeedReply removeGroup(RemoveGroupRequest request) {
            return write(request.partition(), request.id());
        }

        @Override
        public FeedBatchReply feed(FeedBatchRequest request) {
            List<FeedReply> answers = new ArrayList<>();
            boolean isLost = isRestless && random.nextInt(4) == 0;
            boolean hasEnded = false;
            for (int i = 0; i < request.writes().size(); i++) {
                EncodedWrite write = request.writes().get(i);
                OperationId id = request.ids().get(i);
                if (isRestless && random.nextInt(8) == 0) {
                    // The rows of a request are entries of one term: if one is lost, so are the
                    // later ones.
                    hasEnded |= isLost;
                    leaders[random.nextInt(PARTITIONS)] = isLost ? number : random.nextInt(3);
                }
                FeedReply answer =
                        hasEnded
                                ? new FeedReply.WrongOwner(1)
                                : write(write.partition(), Optional.of(id));
                if (answer instanceof FeedReply.Stored
                        && done.add(new OperationId(id.session(), id.number(), 0, false))) {
                    written.computeIfAbsent(write.id(), _ -> new ArrayList<>())
                            .add((int) write.row()[0]);
                }
                answers.add(isLost ? new FeedReply.OutcomeUnknown("reset") : answer);
            }
            return new FeedBatchReply(answers);
        }

        @Override
        public GetReply get(GetRequest request, ReadHold hold) {
            if (!isUp) {
                return new GetReply.Unavailable("down");
            }
            return leaders[request.partition()] == number
                    ? new GetReply.Missing()
                    : new GetReply.WrongOwner(1);
        }

        @Override
        public VisitReply visit(VisitRequest request) {
            throw new AssertionError("nothing is visited: " + request);
        }
    }

    @Test
    void asksUntilTheLeaderAnswers() {
        for (int leader = 0; leader < 3; leader++) {
            leaders[1] = leader;

            assertThat(documents.removeGroup(removal(HEADER)))
                    .isEqualTo(new FeedReply.Stored(leader, new PartitionPosition(1, 1)));
            assertThat(documents.get(get(HEADER), new ReadHold()))
                    .isEqualTo(new GetReply.Missing());
        }
    }

    @Test
    void repeatsNothingThatIsKnown() {
        for (FeedReply last :
                List.of(
                        new FeedReply.Missing(),
                        new FeedReply.ConditionNotMet(true),
                        new FeedReply.Rejected("too large"),
                        new FeedReply.OutOfSpace("full"),
                        new FeedReply.Overloaded(Duration.ofSeconds(1)),
                        new FeedReply.OutcomeUnknown("not remembered", true))) {
            replies.add(last);

            assertThat(documents.removeGroup(removal(HEADER))).isEqualTo(last);
            assertThat(replies).isEmpty();
        }
    }

    @Test
    void repeatsWhatMayBeWritten() {
        for (FeedReply lost :
                List.of(
                        new FeedReply.OutcomeUnknown("reset"),
                        new FeedReply.TimedOut(),
                        new FeedReply.Failed("journal"))) {
            arrived.clear();
            replies.add(lost);
            replies.add(new FeedReply.Overloaded(Duration.ofSeconds(1)));

            assertThat(documents.removeGroup(removal(HEADER)))
                    .as(lost.toString())
                    .isInstanceOf(FeedReply.Stored.class);

            OperationId first = arrived.getFirst();
            assertThat(first.isRetry()).isFalse();
            assertThat(arrived.subList(1, arrived.size()))
                    .isNotEmpty()
                    .allMatch(first.again()::equals);
        }
    }

    /** The first attempt can still be carried out, although the second one is refused. */
    @Test
    void staysUnknownOnceItWas() {
        var lost = new FeedReply.OutcomeUnknown("reset");
        for (FeedReply second :
                List.of(
                        new FeedReply.Missing(),
                        new FeedReply.ConditionNotMet(false),
                        new FeedReply.Rejected("no type"),
                        new FeedReply.OutOfSpace("full"))) {
            replies.add(lost);
            replies.add(second);

            assertThat(documents.removeGroup(removal(HEADER))).isEqualTo(lost);
            assertThat(replies).isEmpty();
        }
    }

    @Test
    void triesANodeWithADefectAFewTimes() {
        var defect = new FeedReply.Failed("defect");
        replies.addAll(List.of(defect, defect, defect, defect));

        assertThat(documents.removeGroup(removal(HEADER))).isEqualTo(defect);
        assertThat(replies).hasSize(1);
    }

    @Test
    void asksTheNodeThatAnsweredLastFirst() {
        leaders[1] = 2;
        var _ = documents.removeGroup(removal(HEADER));
        arrived.clear();

        var _ = documents.removeGroup(removal(HEADER));

        assertThat(arrived).hasSize(1);
    }

    @Test
    void givesUpWithoutALeader() {
        RequestHeader brief = header(Duration.ofMillis(20));
        leaders[1] = 7;
        var nobodyLeads = new FeedReply.Unavailable("no content node is known to lead partition 1");
        assertThat(documents.removeGroup(removal(brief))).isEqualTo(nobodyLeads);
        nodes.getLast().isUp = false;
        assertThat(documents.removeGroup(removal(header(Duration.ofMillis(20)))))
                .isEqualTo(new FeedReply.Unavailable("down"));
        assertThat(documents.get(get(header(Duration.ofMillis(20))), new ReadHold()))
                .isEqualTo(new GetReply.Unavailable("down"));
        var nobody = new ReplicatedDocuments(_ -> List.of(), Runnable::run);
        assertThat(nobody.removeGroup(removal(header(Duration.ofMillis(20)))))
                .isEqualTo(nobodyLeads);
    }

    @Test
    void sendsEachWriteOfABatchToItsLeader() {
        for (int partition = 0; partition < PARTITIONS; partition++) {
            leaders[partition] = partition % 3;
        }
        List<EncodedWrite> writes = writes(60, 12);

        List<FeedReply> replies = documents.feed(new FeedBatchRequest(HEADER, writes)).replies();

        for (int i = 0; i < writes.size(); i++) {
            int partition = writes.get(i).partition();
            assertThat(replies.get(i))
                    .isEqualTo(
                            new FeedReply.Stored(
                                    partition % 3, new PartitionPosition(partition, 1)));
        }
        checkWritten(writes, replies);
    }

    /** Leaders change during the batch, and replies get lost. */
    @Test
    void keepsTheOrderOfTheWritesOfADocument() {
        isRestless = true;
        int unwritten = 0;
        for (int round = 0; round < 40; round++) {
            written.clear();
            List<EncodedWrite> writes = writes(60, 6);

            List<FeedReply> replies =
                    documents.feed(new FeedBatchRequest(HEADER, writes)).replies();

            String what = "round %d, seed %d".formatted(round, SEED);
            written.forEach((id, indexes) ->
                    assertThat(indexes).as("%s, %s", what, id).isSorted().doesNotHaveDuplicates());
            for (int i = 0; i < writes.size(); i++) {
                if (replies.get(i) instanceof FeedReply.Stored) {
                    assertThat(written.get(writes.get(i).id())).as(what).contains(i);
                } else {
                    unwritten++;
                }
            }
        }
        assertThat(unwritten).as("writes that a later one has overtaken").isPositive();
    }

    private void checkWritten(List<EncodedWrite> writes, List<FeedReply> replies) {
        Map<DocumentId, List<Integer>> expected = new HashMap<>();
        for (int i = 0; i < writes.size(); i++) {
            if (replies.get(i) instanceof FeedReply.Stored) {
                expected.computeIfAbsent(writes.get(i).id(), _ -> new ArrayList<>()).add(i);
            }
        }
        assertThat(written).isEqualTo(expected);
    }

    private List<EncodedWrite> writes(int count, int ids) {
        List<EncodedWrite> writes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int id = random.nextInt(ids);
            writes.add(
                    new EncodedWrite(
                            id % PARTITIONS,
                            DocumentId.parse("id:n:t::" + id),
                            new byte[] {(byte) i}));
        }
        return writes;
    }

    private static RemoveGroupRequest removal(RequestHeader header) {
        return new RemoveGroupRequest(header, 1, "t", new LocationKey.Group("anna"));
    }

    private static GetRequest get(RequestHeader header) {
        return new GetRequest(header, 1, DocumentId.parse("id:n:t:g=anna:1"), Optional.empty());
    }

    private static RequestHeader header(Duration timeout) {
        return new RequestHeader(Principal.EVERYONE, 1, Deadline.after(timeout));
    }
}
