package org.crabro.protocol.feed;

import java.util.Arrays;
import org.crabro.document.DocumentId;

/**
 * A document to be written or removed, encoded as the row that the journal stores. Two are equal if
 * their partitions, ids and rows are.
 *
 * <p>The node that writes the row sets its timestamp in place.
 */
public final class EncodedWrite {
    private final int partition;
    private final DocumentId id;
    private final byte[] row;

    /** Computed in the thread that creates the id, while its texts are in the processor's cache. */
    private final int idHash;

    /**
     * @param partition of {@code id}
     * @param row in the format of {@code RowEncoding}, with the same id and any timestamp; not
     *     copied, so the caller must not change it afterwards
     */
    public EncodedWrite(int partition, DocumentId id, byte[] row) {
        this.partition = partition;
        this.id = id;
        this.row = row;
        this.idHash = id.hashCode();
    }

    /** Returns the partition of the id. */
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

    /** Returns the row itself, not a copy. */
    public byte[] row() {
        return row;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof EncodedWrite that
                && partition == that.partition
                && id.equals(that.id)
                && Arrays.equals(row, that.row);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * partition + id.hashCode()) + Arrays.hashCode(row);
    }

    @Override
    public String toString() {
        return "EncodedWrite[partition=%d, id=%s, %d bytes]".formatted(partition, id, row.length);
    }
}
