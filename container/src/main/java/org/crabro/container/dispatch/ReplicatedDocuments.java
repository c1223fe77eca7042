package org.crabro.container.dispatch;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import org.crabro.document.operation.ConditionalOperation;
import org.crabro.protocol.feed.GetReply;
import org.crabro.protocol.feed.GetRequest;
import org.crabro.protocol.feed.OperationId;
import org.crabro.protocol.feed.ReadHold;
import org.crabro.protocol.feed.Write;
import org.crabro.protocol.feed.WriteReply;
import org.crabro.protocol.feed.WriteRequest;
import org.crabro.protocol.visit.VisitReply;
import org.crabro.protocol.visit.VisitRequest;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.RequestHeader;

/**
 * Sends each read or write of documents to the node that leads their partition. If a node does not
 * lead it, cannot be reached or does not answer, the other nodes with replicas are tried, and all
 * again after a pause. Writes have ids, so nodes carry out each of them once however often it is
 * sent.
 */
public final class ReplicatedDocuments implements DocumentNodes {
    private static final String NO_NODE = "no content node is known to lead partition %d";
    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private final LikelyLeaders replicas;
    private final Executor threads;
    private final WriteSessions sessions = new WriteSessions(new SecureRandom()::nextLong);

    /**
     * @param threads run the parts of a request for several nodes, one thread each
     */
    public ReplicatedDocuments(PartitionReplicas replicas, Executor threads) {
        this.replicas = new LikelyLeaders(replicas);
        this.threads = threads;
    }

    @Override
    public WriteReply write(RequestHeader header, Write write, Optional<OperationId> id) {
        int partition = write.partition();
        Optional<WriteSessions.Numbers> taken = sessions.take(partition, 1);
        if (taken.isEmpty()) {
            return new WriteReply.Overloaded(RETRY_AFTER);
        }
        var outcome = new WriteOutcome(unavailable(partition));
        var attempts = new Attempts(header.deadline());
        try (WriteSessions.Numbers number = taken.get()) {
            do {
                for (ClusterNodes nodes : replicas.of(partition)) {
                    WriteReply reply =
                            nodes.documents()
                                    .write(
                                            header.with(attempts.deadline()),
                                            write,
                                            Optional.of(number.id(0, outcome.mayBeWritten())));
                    replicas.note(partition, nodes, reply);
                    outcome.add(reply);
                    if (!outcome.isOpen()) {
                        return outcome.reply();
                    }
                }
            } while (attempts.pause());
        }
        return outcome.reply();
    }

    private static WriteReply unavailable(int partition) {
        return new WriteReply.Unavailable(NO_NODE.formatted(partition));
    }

    @Override
    public GetReply get(GetRequest request, ReadHold hold) {
        RequestHeader header = request.header();
        return first(
                request.partition(),
                header.deadline(),
                (nodes, attempt) -> nodes.get(request.with(header.with(attempt)), hold),
                GetReply.WrongOwner.class,
                reply ->
                        reply instanceof GetReply.Unavailable || reply instanceof GetReply.TimedOut,
                new GetReply.Unavailable(NO_NODE.formatted(request.partition())));
    }

    @Override
    public VisitReply visit(VisitRequest request) {
        int partition = request.scope().partition();
        return first(
                partition,
                request.header().deadline(),
                (nodes, _) -> nodes.visit(request),
                VisitReply.WrongOwner.class,
                VisitReply.Unavailable.class::isInstance,
                new VisitReply.Unavailable(NO_NODE.formatted(partition)));
    }

    /**
     * Returns the first reply that counts, or why there is none.
     *
     * @param request sends the request; the deadline is that of the attempt
     * @param elsewhere the reply of a node that does not lead the partition
     * @param isToRepeat whether another node is asked after a reply
     * @param unavailable the reply if no node leads the partition
     */
    private <R> R first(
            int partition,
            Deadline deadline,
            BiFunction<DocumentNodes, Deadline, R> request,
            Class<? extends R> elsewhere,
            Predicate<R> isToRepeat,
            R unavailable) {
        var attempts = new Attempts(deadline);
        R last = unavailable;
        do {
            for (ClusterNodes nodes : replicas.of(partition)) {
                R reply = request.apply(nodes.documents(), attempts.deadline());
                if (!elsewhere.isInstance(reply)) {
                    last = reply;
                    if (!isToRepeat.test(reply)) {
                        replicas.note(partition, nodes, true);
                        return reply;
                    }
                }
                replicas.note(partition, nodes, false);
            }
        } while (attempts.pause());
        return last;
    }

    @Override
    public List<WriteReply> write(WriteRequest request) {
        var attempts = new Attempts(request.header().deadline());
        try (var batch = new Batch(request)) {
            do {
                Map<Integer, List<ClusterNodes>> nodes = batch.nodes();
                int most = nodes.values().stream().mapToInt(List::size).max().orElse(0);
                for (int i = 0; i < most && batch.isIncomplete(); i++) {
                    List<Runnable> calls = new ArrayList<>();
                    batch.parts(nodes, i)
                            .forEach((to, indexes) ->
                                    calls.add(() -> batch.send(to, indexes, attempts.deadline())));
                    Parallel.run(calls, threads);
                }
            } while (batch.isIncomplete() && attempts.pause());
            return batch.replies();
        }
    }

    /** The writes of a request, and what is known of each. */
    private final class Batch implements AutoCloseable {
        private final RequestHeader header;
        private final List<Write> writes;

        /** Guarded by this. */
        private final List<WriteOutcome> outcomes = new ArrayList<>();

        private final Map<Integer, WriteSessions.Numbers> numbers = new HashMap<>();

        /** The index of each write among those of its partition. */
        private final int[] indexes;

        Batch(WriteRequest request) {
            this.header = request.header();
            this.writes = request.writes();
            this.indexes = new int[writes.size()];
            Map<Integer, Integer> counts = new HashMap<>();
            for (int i = 0; i < indexes.length; i++) {
                int partition = writes.get(i).partition();
                indexes[i] = counts.merge(partition, 1, Integer::sum) - 1;
                outcomes.add(new WriteOutcome(unavailable(partition)));
            }
            counts.forEach((partition, count) ->
                    sessions.take(partition, count)
                            .ifPresent(taken -> numbers.put(partition, taken)));
            for (int i = 0; i < indexes.length; i++) {
                if (!numbers.containsKey(writes.get(i).partition())) {
                    outcomes.get(i).add(new WriteReply.Overloaded(RETRY_AFTER));
                }
            }
        }

        /** Returns the nodes of each partition with open writes, in the order of asking. */
        synchronized Map<Integer, List<ClusterNodes>> nodes() {
            Map<Integer, List<ClusterNodes>> nodes = new HashMap<>();
            for (int i = 0; i < writes.size(); i++) {
                if (outcomes.get(i).isOpen()) {
                    nodes.computeIfAbsent(writes.get(i).partition(), replicas::of);
                }
            }
            return nodes;
        }

        /** Returns the indexes of the open writes for each node, in order. */
        synchronized Map<ClusterNodes, List<Integer>> parts(
                Map<Integer, List<ClusterNodes>> nodes, int round) {
            Map<ClusterNodes, List<Integer>> parts = new LinkedHashMap<>();
            for (int i = 0; i < writes.size(); i++) {
                if (outcomes.get(i).isOpen()) {
                    List<ClusterNodes> of =
                            nodes.getOrDefault(writes.get(i).partition(), List.of());
                    if (round < of.size()) {
                        parts.computeIfAbsent(of.get(round), _ -> new ArrayList<>()).add(i);
                    }
                }
            }
            return parts;
        }

        void send(ClusterNodes to, List<Integer> sent, Deadline attempt) {
            List<Write> part = new ArrayList<>();
            List<OperationId> ids = new ArrayList<>();
            for (int i : sent) {
                Write write = writes.get(i);
                part.add(write);
                WriteSessions.Numbers of = Objects.requireNonNull(numbers.get(write.partition()));
                ids.add(of.id(indexes[i], mayBeWritten(i)));
            }
            List<WriteReply> replies =
                    to.documents().write(new WriteRequest(header.with(attempt), part, ids));
            for (int i = 0; i < replies.size(); i++) {
                replicas.note(part.get(i).partition(), to, replies.get(i));
                add(sent.get(i), replies.get(i));
            }
        }

        private synchronized boolean mayBeWritten(int index) {
            return outcomes.get(index).mayBeWritten();
        }

        private synchronized void add(int index, WriteReply reply) {
            outcomes.get(index).add(reply);
        }

        /**
         * Returns whether a write should be sent again. It is not if a later write of the same
         * document was carried out, because writes of a document keep their order.
         */
        synchronized boolean isIncomplete() {
            Set<Object> done = new HashSet<>();
            boolean isIncomplete = false;
            for (int i = outcomes.size() - 1; i >= 0; i--) {
                Object written = written(writes.get(i));
                WriteOutcome outcome = outcomes.get(i);
                if (outcome.isOpen() && done.contains(written)) {
                    outcome.close();
                } else if (outcome.isOpen()) {
                    isIncomplete = true;
                } else if (!(outcome.reply() instanceof WriteReply.Unavailable)) {
                    done.add(written);
                }
            }
            return isIncomplete;
        }

        /** Returns the document of a write; the write itself if it is the removal of a group. */
        private static Object written(Write write) {
            return switch (write) {
                case Write.Row row -> row.id();
                case Write.Operation(_, ConditionalOperation operation) -> operation.id();
                case Write.RemoveGroup removal -> removal;
            };
        }

        synchronized List<WriteReply> replies() {
            return outcomes.stream().map(WriteOutcome::reply).toList();
        }

        @Override
        public void close() {
            numbers.values().forEach(WriteSessions.Numbers::close);
        }
    }
}
