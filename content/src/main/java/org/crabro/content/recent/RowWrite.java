package org.crabro.content.recent;

import org.crabro.document.DocumentId;

/** A row to be written. No value: its bytes are given their timestamp where they lie. */
public final class RowWrite {
    private final int partition;
    private final DocumentId id;
    private final byte[] row;

    /**
     * @param partition of {@code id}
     * @param row encoded, of a type that is kept; changed when it is written, and not to be changed
     *     by others any more
     */
    public RowWrite(int partition, DocumentId id, byte[] row) {
        this.partition = partition;
        this.id = id;
        this.row = row;
    }

    /** Returns the partition of the id. */
    public int partition() {
        return partition;
    }

    /** Returns the id of the document. */
    public DocumentId id() {
        return id;
    }

    /** Returns the encoded row itself, not a copy. */
    public byte[] row() {
        return row;
    }
}
