package org.crabro.container.route;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.crabro.container.document.ClusterDocuments;
import org.crabro.container.document.WriteResult;
import org.crabro.protocol.feed.Write;
import org.crabro.protocol.feed.WriteReply;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;

/**
 * The rows of a batch by their targets. Rows of one target keep their order. A row may have several
 * targets; then it is too busy if one of them is, because a row can be written again.
 */
final class BatchParts {
    private final Map<ClusterDocuments, Part> parts = new LinkedHashMap<>();
    private final WriteResult[] single;
    private final CopyReplies[] merged;

    /** The rows for one target. */
    private static final class Part {
        private final List<Write.Row> rows = new ArrayList<>();
        private final List<Integer> numbers = new ArrayList<>();

        /** The cluster of a row with several copies; otherwise empty. */
        private final List<Optional<String>> clusters = new ArrayList<>();
    }

    /**
     * @param count the number of rows
     */
    BatchParts(int count) {
        this.single = new WriteResult[count];
        this.merged = new CopyReplies[count];
    }

    /** Adds a row of a type that one cluster stores. */
    void add(int number, Write.Row row, ClusterDocuments target) {
        add(number, row, target, Optional.empty());
    }

    /**
     * Adds a copy of a row.
     *
     * @param row not shared with another copy: the node changes its timestamp
     */
    void add(int number, Write.Row row, DocumentCopy copy) {
        add(number, row, copy.documents(), Optional.of(copy.cluster()));
    }

    private void add(int number, Write.Row row, ClusterDocuments target, Optional<String> cluster) {
        Part part = parts.computeIfAbsent(target, _ -> new Part());
        part.rows.add(row);
        part.numbers.add(number);
        part.clusters.add(cluster);
    }

    /** Writes each part, one after another. */
    void write(Principal principal, Deadline deadline) {
        parts.forEach((target, part) -> {
            List<WriteResult> answered = target.write(principal, deadline, part.rows);
            for (int i = 0; i < answered.size(); i++) {
                answer(part.numbers.get(i), part.clusters.get(i), answered.get(i));
            }
        });
    }

    private void answer(int number, Optional<String> cluster, WriteResult reply) {
        if (cluster.isEmpty() || reply instanceof WriteResult.Answered(WriteReply.Overloaded _)) {
            single[number] = reply;
            return;
        }
        if (merged[number] == null) {
            merged[number] = new CopyReplies();
        }
        merged[number].add(cluster.get(), reply);
    }

    /** Returns the outcome of a row; empty if it had no target. */
    Optional<WriteResult> reply(int number) {
        return single[number] == null && merged[number] != null
                ? merged[number].result()
                : Optional.ofNullable(single[number]);
    }
}
