package org.crabro.content.node;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.crabro.content.storage.store.DocumentStore;
import org.crabro.document.DocumentType;
import org.crabro.protocol.encoding.RowEncoding;
import org.crabro.protocol.encoding.RowFields;
import org.crabro.protocol.feed.OperationId;
import org.crabro.protocol.feed.Write;
import org.crabro.protocol.feed.WriteReply;
import org.crabro.protocol.wire.Deadline;

/**
 * Writes rows whatever is stored. They are already encoded, so this class checks each row: bytes in
 * the journal must be valid for all readers.
 */
final class RowBatches {
    /** The number of rows that are prefetched together. */
    private static final int TOGETHER = 64;

    private static final int CACHE_LINE = 64;

    private final NodePlace place;
    private final DocumentStore store;

    /** Returns whether there currently is a document type with a name. */
    private final Predicate<String> isServed;

    /** Only written, so that the JIT compiler does not remove the reads. */
    @SuppressWarnings("UnusedVariable")
    private int fetched;

    RowBatches(NodePlace place, DocumentStore store, Predicate<String> isServed) {
        this.place = place;
        this.store = store;
        this.isServed = isServed;
    }

    /**
     * Returns the reply to an invalid row, regardless of the stored documents; empty if it is
     * valid.
     */
    Optional<WriteReply> refusal(Write.Row write) {
        return new Checks().refusal(write);
    }

    /** Returns the reply to a row, when it is durable and visible, or has failed. */
    WriteReply write(Write.Row row, Optional<OperationId> operation, Deadline deadline) {
        return refusal(row).orElseGet(() -> store.write(row, operation, deadline));
    }

    /**
     * Returns the reply to each row, when each is durable and visible, or has failed.
     *
     * @param ids the operation of each row; empty if they have no ids
     */
    List<WriteReply> write(List<Write.Row> rows, List<OperationId> ids, Deadline deadline) {
        var replies = new WriteReply[rows.size()];
        var valid = new ArrayList<Write.Row>(replies.length);
        int[] indexes = new int[replies.length];
        var checks = new Checks();
        for (int i = 0; i < replies.length; i++) {
            if (i % TOGETHER == 0) {
                fetch(rows, i, Math.min(replies.length, i + TOGETHER));
            }
            Write.Row row = rows.get(i);
            Optional<WriteReply> refusal = checks.refusal(row);
            if (refusal.isPresent()) {
                replies[i] = refusal.get();
            } else {
                indexes[valid.size()] = i;
                valid.add(row);
            }
        }
        List<OperationId> operations =
                ids.isEmpty()
                        ? List.of()
                        : Arrays.stream(indexes, 0, valid.size()).mapToObj(ids::get).toList();
        List<WriteReply> written = store.write(valid, operations, deadline);
        for (int i = 0; i < written.size(); i++) {
            replies[indexes[i]] = written.get(i);
        }
        return List.of(replies);
    }

    /**
     * Prefetches the bytes that the checks will read. They are in the caches of other processors,
     * and many parallel reads take little more time than one.
     */
    private void fetch(List<Write.Row> rows, int from, int to) {
        int sum = 0;
        for (int i = from; i < to; i++) {
            byte[] row = rows.get(i).bytes();
            sum += row[0] + row[Math.min(row.length - 1, CACHE_LINE)] + row[row.length - 1];
        }
        fetched = sum;
    }

    /** Checks the rows of one batch. Most of them have the same type. */
    private final class Checks {
        private final Map<Long, Optional<Type>> types = new HashMap<>();
        private long lastFingerprint;
        private Optional<Type> last = Optional.empty();
        private String lastServed = "";
        private int lastOwned = -1;

        /** A type of rows, and an iterator over their fields. */
        private record Type(String name, RowFields fields) {
            Type(DocumentType type) {
                this(type.name(), new RowFields(type));
            }
        }

        Optional<WriteReply> refusal(Write.Row write) {
            int partition = place.partitions().of(write.id().location());
            if (partition != write.partition()) {
                return rejected(
                        "%s is of partition %d, not %d"
                                .formatted(write.id(), partition, write.partition()));
            }
            if (partition != lastOwned) {
                if (!place.owned().contains(partition)) {
                    return Optional.of(new WriteReply.WrongOwner(place.stateVersion()));
                }
                lastOwned = partition;
            }
            String name = write.id().documentType();
            try {
                MemorySegment row = MemorySegment.ofArray(write.bytes());
                Optional<Type> type = type(RowEncoding.fingerprint(row));
                if (type.isEmpty() || !type.get().name().equals(name) || !isServed(name)) {
                    return rejected("no active schema has a document type '%s'".formatted(name));
                }
                if (RowEncoding.isGroupTombstone(row)) {
                    return rejected(write.id() + " has the row of a group tombstone");
                }
                RowFields each = type.get().fields();
                each.open(row);
                while (each.next()) {
                    // Iterating to the last field validates all of them.
                }
            } catch (IllegalArgumentException e) {
                return rejected(write.id() + ": " + e.getMessage());
            }
            return Optional.empty();
        }

        private Optional<Type> type(long fingerprint) {
            if (last.isEmpty() || fingerprint != lastFingerprint) {
                last = types.computeIfAbsent(fingerprint, of -> store.type(of).map(Type::new));
                lastFingerprint = fingerprint;
            }
            return last;
        }

        private boolean isServed(String name) {
            if (!name.equals(lastServed)) {
                if (!isServed.test(name)) {
                    return false;
                }
                lastServed = name;
            }
            return true;
        }

        private static Optional<WriteReply> rejected(String reason) {
            return Optional.of(new WriteReply.Rejected(reason));
        }
    }
}
