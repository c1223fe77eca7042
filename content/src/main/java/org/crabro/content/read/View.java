package org.crabro.content.read;

import java.util.List;
import org.crabro.content.block.key.KeyRange;
import org.crabro.content.file.ReadContext;

/**
 * One moment of one partition, for one reader: every document written before it was taken is in it
 * exactly once. Taking one is cheap; what it shows stays mapped until it is closed, so it is closed
 * after a slice of work.
 */
public interface View extends AutoCloseable {
    /**
     * Returns where the documents of {@code documentType} in {@code range} lie. No row of the
     * slices that is not dead is the same document as another.
     *
     * <p>Touches mappings: only for the node's own threads.
     */
    List<BlockSlice> slices(String documentType, KeyRange range);

    /**
     * Returns the same without what cannot be read.
     *
     * @param reads is told of that, and of what comes from the device
     */
    default List<BlockSlice> slices(String documentType, KeyRange range, ReadContext reads) {
        return slices(documentType, range);
    }

    @Override
    void close();
}
