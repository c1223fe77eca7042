package org.crabro.protocol.feed;

import java.util.Arrays;
import org.crabro.document.DocumentId;
import org.crabro.document.LocationKey;
import org.crabro.document.operation.ConditionalOperation;
import org.crabro.document.operation.WriteCondition;

/** A change of stored documents, for the node that owns their partition. */
public sealed interface Write {
    /** Returns the partition of the documents. */
    int partition();

    /**
     * A document to be put or removed, encoded as the row that the journal stores. Two are equal if
     * all their parts are.
     *
     * <p>The node that writes the row sets its timestamp in place. So a row that is sent to several
     * nodes is {@linkplain #copy() copied}.
     */
    final class Row implements Write {
        private final int partition;
        private final DocumentId id;
        private final byte[] bytes;
        private final WriteCondition condition;
        private final boolean create;

        /** Computed in the thread that creates the id, while its texts are in the cache. */
        private final int idHash;

        /**
         * A row to be written whatever is stored.
         *
         * @param partition of {@code id}
         * @param bytes in the format of {@code RowEncoding}, with the same id and any timestamp;
         *     not copied, so the caller must not change them afterwards
         */
        public Row(int partition, DocumentId id, byte[] bytes) {
            this(partition, id, bytes, WriteCondition.NONE, false);
        }

        /**
         * A row to be written if a condition is met.
         *
         * @param partition of {@code id}
         * @param bytes in the format of {@code RowEncoding}, with the same id and any timestamp;
         *     not copied, so the caller must not change them afterwards
         * @param condition checked atomically with the write
         * @param create see {@link ConditionalOperation}; has no effect without a condition
         */
        public Row(
                int partition,
                DocumentId id,
                byte[] bytes,
                WriteCondition condition,
                boolean create) {
            this.partition = partition;
            this.id = id;
            this.bytes = bytes;
            this.condition = condition;
            this.create = create && !condition.isNone();
            this.idHash = id.hashCode();
        }

        @Override
        public int partition() {
            return partition;
        }

        /** Returns the id of the document. */
        public DocumentId id() {
            return id;
        }

        /** Returns the hash of the id. */
        public int idHash() {
            return idHash;
        }

        /** Returns the bytes of the row, not a copy. */
        public byte[] bytes() {
            return bytes;
        }

        public WriteCondition condition() {
            return condition;
        }

        /** Returns whether a missing document is created without evaluating the condition. */
        public boolean create() {
            return create;
        }

        /** Returns the same write with its own bytes. */
        public Row copy() {
            return new Row(partition, id, bytes.clone(), condition, create);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Row that
                    && partition == that.partition
                    && create == that.create
                    && id.equals(that.id)
                    && condition.equals(that.condition)
                    && Arrays.equals(bytes, that.bytes);
        }

        @Override
        public int hashCode() {
            return 31 * (31 * partition + idHash) + Arrays.hashCode(bytes);
        }

        @Override
        public String toString() {
            return "Row[partition=%d, id=%s, %d bytes, condition=%s, create=%s]"
                    .formatted(partition, id, bytes.length, condition, create);
        }
    }

    /**
     * An operation whose new row the node makes, for example an update.
     *
     * @param partition of the document
     * @param operation final: indexing scripts have run; its condition is checked atomically with
     *     the write
     */
    record Operation(int partition, ConditionalOperation operation) implements Write {}

    /**
     * The removal of all documents of a type in one group or number, in all namespaces. Documents
     * that are written afterwards are not removed.
     *
     * @param partition of the group
     * @param group no {@link LocationKey.Plain}
     */
    record RemoveGroup(int partition, String documentType, LocationKey group) implements Write {
        public RemoveGroup {
            if (group instanceof LocationKey.Plain) {
                throw new IllegalArgumentException("no group to be removed");
            }
        }
    }
}
