package org.crabro.container.dispatch;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.crabro.document.DocumentId;
import org.crabro.protocol.feed.EncodedWrite;
import org.crabro.protocol.feed.FeedBatchReply;
import org.crabro.protocol.feed.FeedBatchRequest;
import org.crabro.protocol.feed.FeedReply;
import org.crabro.protocol.feed.FeedRequest;
import org.crabro.protocol.feed.FeedRowRequest;
import org.crabro.protocol.feed.GetReply;
import org.crabro.protocol.feed.GetRequest;
import org.crabro.protocol.feed.ReadHold;
import org.crabro.protocol.feed.RemoveGroupRequest;
import org.crabro.protocol.visit.VisitReply;
import org.crabro.protocol.visit.VisitRequest;

/**
 * Sends each read or write of documents to the node that leads their partition. If a node does not
 * lead it or cannot be reached, the other nodes with replicas are tried, and all again after a
 * pause. A write whose outcome is not known is not sent again.
 */
public final class ReplicatedDocuments implements DocumentNodes {
    private static final String NO_NODE = "no content node is known to lead partition %d";

    private final PartitionReplicas replicas;
    private final Executor threads;

    /**
     * @param threads run the parts of a request for several nodes, one thread each
     */
    public ReplicatedDocuments(PartitionReplicas replicas, Executor threads) {
        this.replicas = replicas;
        this.threads = threads;
    }

    @Override
    public FeedReply feed(FeedRequest request) {
        return write(
                request.partition(),
                new Attempts(request.header().deadline()),
                nodes -> nodes.feed(request));
    }

    @Override
    public FeedReply feed(FeedRowRequest request) {
        return write(
                request.write().write().partition(),
                new Attempts(request.header().deadline()),
                nodes -> nodes.feed(request));
    }

    @Override
    public FeedReply removeGroup(RemoveGroupRequest request) {
        return write(
                request.partition(),
                new Attempts(request.header().deadline()),
                nodes -> nodes.removeGroup(request));
    }

    @Override
    public GetReply get(GetRequest request, ReadHold hold) {
        return first(
                request.partition(),
                new Attempts(request.header().deadline()),
                nodes -> nodes.get(request, hold),
                GetReply.WrongOwner.class,
                new GetReply.Unavailable(NO_NODE.formatted(request.partition())));
    }

    @Override
    public VisitReply visit(VisitRequest request) {
        int partition = request.scope().partition();
        return first(
                partition,
                new Attempts(request.header().deadline()),
                nodes -> nodes.visit(request),
                VisitReply.WrongOwner.class,
                new VisitReply.Unavailable(NO_NODE.formatted(partition)));
    }

    private FeedReply write(
            int partition, Attempts attempts, Function<DocumentNodes, FeedReply> request) {
        return first(
                partition,
                attempts,
                request,
                FeedReply.WrongOwner.class,
                new FeedReply.Unavailable(NO_NODE.formatted(partition)));
    }

    /** Returns whether another node may be asked for the same write. */
    private static boolean isUnwritten(FeedReply reply) {
        return reply instanceof FeedReply.WrongOwner || reply instanceof FeedReply.Unavailable;
    }

    /**
     * Returns the first reply that counts, or why there is none.
     *
     * @param elsewhere the reply of a node that does not lead the partition
     * @param unavailable the reply if no node leads it; nodes that cannot be reached reply with the
     *     same class
     */
    private <R> R first(
            int partition,
            Attempts attempts,
            Function<DocumentNodes, R> request,
            Class<? extends R> elsewhere,
            R unavailable) {
        R last = unavailable;
        do {
            for (ClusterNodes nodes : replicas.of(partition)) {
                R reply = request.apply(nodes.documents());
                if (unavailable.getClass().isInstance(reply)) {
                    last = reply;
                } else if (!elsewhere.isInstance(reply)) {
                    return reply;
                }
            }
        } while (attempts.pause());
        return last;
    }

    @Override
    public FeedBatchReply feed(FeedBatchRequest request) {
        List<EncodedWrite> writes = request.writes();
        var batch = new Batch(writes);
        var attempts = new Attempts(request.header().deadline());
        int round = 0;
        boolean isGoingOn = true;
        while (isGoingOn) {
            Map<ClusterNodes, List<Integer>> parts = batch.parts(round);
            List<Runnable> calls = new ArrayList<>();
            parts.forEach((nodes, indexes) ->
                    calls.add(() -> {
                        List<EncodedWrite> part = indexes.stream().map(writes::get).toList();
                        var asked = new FeedBatchRequest(request.header(), part);
                        batch.answered(indexes, nodes.documents().feed(asked).replies());
                    }));
            Parallel.run(calls, threads);
            round++;
            isGoingOn = batch.isIncomplete() && (batch.hasOthers(round) || attempts.pause());
        }
        return new FeedBatchReply(batch.replies());
    }

    /** The writes of a request, and their replies. */
    private final class Batch {
        private final List<EncodedWrite> writes;
        private final List<FeedReply> replies;

        /** Whether a write is to be sent, by its index. */
        private final boolean[] isOpen;

        Batch(List<EncodedWrite> writes) {
            this.writes = writes;
            this.replies = new ArrayList<>();
            for (EncodedWrite write : writes) {
                replies.add(new FeedReply.Unavailable(NO_NODE.formatted(write.partition())));
            }
            this.isOpen = new boolean[writes.size()];
            Arrays.fill(isOpen, true);
        }

        /** Returns the indexes of the open writes for each node, in order. */
        Map<ClusterNodes, List<Integer>> parts(int round) {
            Map<ClusterNodes, List<Integer>> parts = new LinkedHashMap<>();
            Map<Integer, List<ClusterNodes>> known = new LinkedHashMap<>();
            for (int i = 0; i < isOpen.length; i++) {
                if (isOpen[i]) {
                    int partition = writes.get(i).partition();
                    List<ClusterNodes> nodes = known.computeIfAbsent(partition, replicas::of);
                    if (!nodes.isEmpty()) {
                        parts.computeIfAbsent(
                                        nodes.get(round % nodes.size()), _ -> new ArrayList<>())
                                .add(i);
                    }
                }
            }
            return parts;
        }

        synchronized void answered(List<Integer> indexes, List<FeedReply> answers) {
            for (int i = 0; i < indexes.size(); i++) {
                if (!(answers.get(i) instanceof FeedReply.WrongOwner)) {
                    replies.set(indexes.get(i), answers.get(i));
                }
                isOpen[indexes.get(i)] = isUnwritten(answers.get(i));
            }
        }

        /**
         * Returns whether a write should be sent again. It is not if a later write of the same
         * document was carried out, because writes of a document keep their order.
         */
        synchronized boolean isIncomplete() {
            Set<DocumentId> done = new HashSet<>();
            boolean isIncomplete = false;
            for (int i = isOpen.length - 1; i >= 0; i--) {
                DocumentId id = writes.get(i).id();
                if (!isOpen[i]) {
                    if (!isUnwritten(replies.get(i))) {
                        done.add(id);
                    }
                } else if (done.contains(id)) {
                    isOpen[i] = false;
                } else {
                    isIncomplete = true;
                }
            }
            return isIncomplete;
        }

        /** Returns whether some open write has a node that was not asked yet. */
        boolean hasOthers(int round) {
            for (int i = 0; i < isOpen.length; i++) {
                if (isOpen[i] && replicas.of(writes.get(i).partition()).size() > round) {
                    return true;
                }
            }
            return false;
        }

        List<FeedReply> replies() {
            return replies;
        }
    }
}
