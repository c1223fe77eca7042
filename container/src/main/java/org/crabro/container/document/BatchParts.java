package org.crabro.container.document;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.crabro.protocol.feed.EncodedWrite;
import org.crabro.protocol.feed.FeedReply;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;

/**
 * The rows of a batch by their targets. Rows of one target keep their order. A row may have several
 * targets; then it is too busy if one of them is, because a row can be written again.
 */
final class BatchParts {
    private final Map<ClusterDocuments, Part> parts = new LinkedHashMap<>();
    private final WriteReply[] single;
    private final CopyReplies[] merged;

    /** The rows for one target. */
    private static final class Part {
        private final List<EncodedWrite> writes = new ArrayList<>();
        private final List<Integer> numbers = new ArrayList<>();

        /** The cluster of a row with several copies; otherwise empty. */
        private final List<Optional<String>> clusters = new ArrayList<>();
    }

    /**
     * @param count the number of rows
     */
    BatchParts(int count) {
        this.single = new WriteReply[count];
        this.merged = new CopyReplies[count];
    }

    /** Adds a row of a type that one cluster stores. */
    void add(int number, EncodedWrite write, ClusterDocuments target) {
        add(number, write, target, Optional.empty());
    }

    /**
     * Adds a copy of a row.
     *
     * @param write not shared with another copy: the node changes the timestamp in the row
     */
    void add(int number, EncodedWrite write, DocumentCopy copy) {
        add(number, write, copy.documents(), Optional.of(copy.cluster()));
    }

    private void add(
            int number, EncodedWrite write, ClusterDocuments target, Optional<String> cluster) {
        Part part = parts.computeIfAbsent(target, _ -> new Part());
        part.writes.add(write);
        part.numbers.add(number);
        part.clusters.add(cluster);
    }

    /** Writes each part, one after another. */
    void write(Principal principal, Deadline deadline) {
        parts.forEach((target, part) -> {
            List<WriteReply> answered = target.write(principal, deadline, part.writes);
            for (int i = 0; i < answered.size(); i++) {
                answer(part.numbers.get(i), part.clusters.get(i), answered.get(i));
            }
        });
    }

    private void answer(int number, Optional<String> cluster, WriteReply reply) {
        if (cluster.isEmpty() || reply instanceof WriteReply.Answered(FeedReply.Overloaded _)) {
            single[number] = reply;
            return;
        }
        if (merged[number] == null) {
            merged[number] = new CopyReplies();
        }
        merged[number].add(cluster.get(), reply);
    }

    /** Returns the outcome of a row; empty if it had no target. */
    Optional<WriteReply> reply(int number) {
        return single[number] == null && merged[number] != null
                ? merged[number].result()
                : Optional.ofNullable(single[number]);
    }
}
