package org.crabro.content.storage.read;

import java.util.List;
import java.util.Optional;
import org.crabro.content.storage.block.key.KeyRange;
import org.crabro.content.storage.block.key.RowKey;
import org.crabro.content.storage.file.CorruptRunException;
import org.crabro.content.storage.file.ReadContext;

/**
 * A snapshot of one partition for one reader: every document that was written before is in it
 * exactly once. Taking a view is cheap. Its files stay mapped until it is closed, so close it after
 * a slice of work.
 */
public interface View extends AutoCloseable {
    /**
     * Returns the slices of the documents of {@code documentType} in {@code range}. Live rows of
     * the slices are distinct documents.
     *
     * <p>Touches mappings: only for the node's own threads.
     */
    List<BlockSlice> slices(String documentType, KeyRange range);

    /**
     * Returns the slices without unreadable blocks.
     *
     * @param reads counts the unreadable rows, and the bytes read from the device
     */
    default List<BlockSlice> slices(String documentType, KeyRange range, ReadContext reads) {
        return slices(documentType, range);
    }

    /**
     * Returns the slices that a search of all documents reads, without unreadable blocks. Slices of
     * indexed rows have the rows that {@code finder} found. Sections that it has taken and blocks
     * that it leaves out are missing.
     *
     * @param reads counts the unreadable rows, and the bytes read from the device
     */
    default List<BlockSlice> slices(
            String documentType, KeyRange range, RowFinder finder, ReadContext reads) {
        return slices(documentType, range, reads);
    }

    /**
     * Returns the row of the document with {@code key}; empty if there is no such document.
     *
     * <p>Touches mappings: only for the node's own threads.
     *
     * @param reads counts the bytes read from the device
     * @throws CorruptRunException if a run that may have the newest version cannot be read
     */
    Optional<LiveRow> find(RowKey key, ReadContext reads);

    @Override
    void close();
}
