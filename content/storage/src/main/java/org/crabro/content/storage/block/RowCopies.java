package org.crabro.content.storage.block;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.crabro.document.DocumentType;

/**
 * A {@link RowCopy} for each of the blocks that rows were last copied from. A merge takes rows from
 * its inputs in turn, and each input continues at its own position. For one thread.
 */
public final class RowCopies {
    /** More inputs than this share copies, and decompress more often. */
    private static final int BLOCKS_MAX = 8;

    private final DocumentType type;
    private final Predicate<String> removed;
    private final List<EncodedBlock> blocks = new ArrayList<>();
    private final List<RowCopy> copies = new ArrayList<>();
    private int last;
    private int oldest;

    /**
     * @param type of all rows
     * @param removed whether the values of a field are left out
     */
    public RowCopies(DocumentType type, Predicate<String> removed) {
        this.type = type;
        this.removed = removed;
    }

    /** Returns the copy for rows of {@code block}. */
    public RowCopy of(EncodedBlock block) {
        if (last < blocks.size() && blocks.get(last) == block) {
            return copies.get(last);
        }
        for (int i = 0; i < blocks.size(); i++) {
            if (blocks.get(i) == block) {
                last = i;
                return copies.get(i);
            }
        }
        if (blocks.size() < BLOCKS_MAX) {
            last = blocks.size();
            blocks.add(block);
            copies.add(new RowCopy(type, removed));
        } else {
            last = oldest;
            oldest = (oldest + 1) % BLOCKS_MAX;
            blocks.set(last, block);
        }
        return copies.get(last);
    }
}
