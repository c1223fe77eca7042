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
import org.crabro.protocol.feed.GetReply;
import org.crabro.protocol.feed.GetRequest;
import org.crabro.protocol.feed.OperationId;
import org.crabro.protocol.feed.ReadHold;
import org.crabro.protocol.feed.Write;
import org.crabro.protocol.feed.WriteReply;
import org.crabro.protocol.feed.WriteRequest;
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

    private static final Write REMOVAL =
            new Write.RemoveGroup(1, "t", new LocationKey.Group("anna"));

    /** The replies of leaders to the next writes; later ones are stored. */
    private final Deque<WriteReply> replies = new ArrayDeque<>();

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

        private WriteReply write(int partition, Optional<OperationId> id) {
            arrived.add(id.orElseThrow());
            if (!isUp) {
                return new WriteReply.Unavailable("down");
            }
            if (leaders[partition] != number) {
                return new WriteReply.WrongOwner(1);
            }
            return replies.isEmpty()
                    ? new WriteReply.Stored(number, new PartitionPosition(partition, 1))
                    : replies.removeFirst();
        }

        @Override
        public WriteReply write(RequestHeader header, Write write, Optional<OperationId> id) {
            return write(write.partition(), id);
        }

        @Override
        public List<WriteReply> write(WriteRequest request) {
            List<WriteReply> answers = new ArrayList<>();
            boolean isLost = isRestless && random.nextInt(4) == 0;
            boolean hasEnded = false;
            for (int i = 0; i < request.writes().size(); i++) {
                Write.Row write = (Write.Row) request.writes().get(i);
                OperationId id = request.ids().get(i);
                if (isRestless && random.nextInt(8) == 0) {
                    // The rows of a request are entries of one term: if one is lost, so are the
                    // later ones.
                    hasEnded |= isLost;
                    leaders[random.nextInt(PARTITIONS)] = isLost ? number : random.nextInt(3);
                }
                WriteReply answer =
                        hasEnded
                                ? new WriteReply.WrongOwner(1)
                                : write(write.partition(), Optional.of(id));
                if (answer instanceof WriteReply.Stored
                        && done.add(new OperationId(id.session(), id.number(), 0, false))) {
                    written.computeIfAbsent(write.id(), _ -> new ArrayList<>())
                            .add((int) write.bytes()[0]);
                }
                answers.add(isLost ? new WriteReply.OutcomeUnknown("reset") : answer);
            }
            return answers;
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

            assertThat(documents.write(HEADER, REMOVAL, Optional.empty()))
                    .isEqualTo(new WriteReply.Stored(leader, new PartitionPosition(1, 1)));
            assertThat(documents.get(get(HEADER), new ReadHold()))
                    .isEqualTo(new GetReply.Missing());
        }
    }

    @Test
    void repeatsNothingThatIsKnown() {
        for (WriteReply last :
                List.of(
                        new WriteReply.Missing(),
                        new WriteReply.ConditionNotMet(true),
                        new WriteReply.Rejected("too large"),
                        new WriteReply.OutOfSpace("full"),
                        new WriteReply.Overloaded(Duration.ofSeconds(1)),
                        new WriteReply.OutcomeUnknown("not remembered", true))) {
            replies.add(last);

            assertThat(documents.write(HEADER, REMOVAL, Optional.empty())).isEqualTo(last);
            assertThat(replies).isEmpty();
        }
    }

    @Test
    void repeatsWhatMayBeWritten() {
        for (WriteReply lost :
                List.of(
                        new WriteReply.OutcomeUnknown("reset"),
                        new WriteReply.TimedOut(),
                        new WriteReply.Failed("journal"))) {
            arrived.clear();
            replies.add(lost);
            replies.add(new WriteReply.Overloaded(Duration.ofSeconds(1)));

            assertThat(documents.write(HEADER, REMOVAL, Optional.empty()))
                    .as(lost.toString())
                    .isInstanceOf(WriteReply.Stored.class);

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
        var lost = new WriteReply.OutcomeUnknown("reset");
        for (WriteReply second :
                List.of(
                        new WriteReply.Missing(),
                        new WriteReply.ConditionNotMet(false),
                        new WriteReply.Rejected("no type"),
                        new WriteReply.OutOfSpace("full"))) {
            replies.add(lost);
            replies.add(second);

            assertThat(documents.write(HEADER, REMOVAL, Optional.empty())).isEqualTo(lost);
            assertThat(replies).isEmpty();
        }
    }

    @Test
    void triesANodeWithADefectAFewTimes() {
        var defect = new WriteReply.Failed("defect");
        replies.addAll(List.of(defect, defect, defect, defect));

        assertThat(documents.write(HEADER, REMOVAL, Optional.empty())).isEqualTo(defect);
        assertThat(replies).hasSize(1);
    }

    @Test
    void asksTheNodeThatAnsweredLastFirst() {
        leaders[1] = 2;
        var _ = documents.write(HEADER, REMOVAL, Optional.empty());
        arrived.clear();

        var _ = documents.write(HEADER, REMOVAL, Optional.empty());

        assertThat(arrived).hasSize(1);
    }

    @Test
    void givesUpWithoutALeader() {
        RequestHeader brief = header(Duration.ofMillis(20));
        leaders[1] = 7;
        var nobodyLeads =
                new WriteReply.Unavailable("no content node is known to lead partition 1");
        assertThat(documents.write(brief, REMOVAL, Optional.empty())).isEqualTo(nobodyLeads);
        nodes.getLast().isUp = false;
        assertThat(documents.write(header(Duration.ofMillis(20)), REMOVAL, Optional.empty()))
                .isEqualTo(new WriteReply.Unavailable("down"));
        assertThat(documents.get(get(header(Duration.ofMillis(20))), new ReadHold()))
                .isEqualTo(new GetReply.Unavailable("down"));
        var nobody = new ReplicatedDocuments(_ -> List.of(), Runnable::run);
        assertThat(nobody.write(header(Duration.ofMillis(20)), REMOVAL, Optional.empty()))
                .isEqualTo(nobodyLeads);
    }

    @Test
    void sendsEachWriteOfABatchToItsLeader() {
        for (int partition = 0; partition < PARTITIONS; partition++) {
            leaders[partition] = partition % 3;
        }
        List<Write.Row> writes = writes(60, 12);

        List<WriteReply> replies = documents.write(new WriteRequest(HEADER, writes));

        for (int i = 0; i < writes.size(); i++) {
            int partition = writes.get(i).partition();
            assertThat(replies.get(i))
                    .isEqualTo(
                            new WriteReply.Stored(
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
            List<Write.Row> writes = writes(60, 6);

            List<WriteReply> replies = documents.write(new WriteRequest(HEADER, writes));

            String what = "round %d, seed %d".formatted(round, SEED);
            written.forEach((id, indexes) ->
                    assertThat(indexes).as("%s, %s", what, id).isSorted().doesNotHaveDuplicates());
            for (int i = 0; i < writes.size(); i++) {
                if (replies.get(i) instanceof WriteReply.Stored) {
                    assertThat(written.get(writes.get(i).id())).as(what).contains(i);
                } else {
                    unwritten++;
                }
            }
        }
        assertThat(unwritten).as("writes that a later one has overtaken").isPositive();
    }

    private void checkWritten(List<Write.Row> writes, List<WriteReply> replies) {
        Map<DocumentId, List<Integer>> expected = new HashMap<>();
        for (int i = 0; i < writes.size(); i++) {
            if (replies.get(i) instanceof WriteReply.Stored) {
                expected.computeIfAbsent(writes.get(i).id(), _ -> new ArrayList<>()).add(i);
            }
        }
        assertThat(written).isEqualTo(expected);
    }

    private List<Write.Row> writes(int count, int ids) {
        List<Write.Row> writes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int id = random.nextInt(ids);
            writes.add(
                    new Write.Row(
                            id % PARTITIONS,
                            DocumentId.parse("id:n:t::" + id),
                            new byte[] {(byte) i}));
        }
        return writes;
    }

    private static GetRequest get(RequestHeader header) {
        return new GetRequest(header, 1, DocumentId.parse("id:n:t:g=anna:1"), Optional.empty());
    }

    private static RequestHeader header(Duration timeout) {
        return new RequestHeader(Principal.EVERYONE, 1, Deadline.after(timeout));
    }
}
