package org.crabro.content.storage.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;
import org.crabro.content.storage.block.key.KeyColumnWriter;
import org.crabro.content.storage.block.key.RowKeyBuffer;
import org.crabro.content.storage.layout.BlockBytes;
import org.crabro.content.storage.layout.RunLayout;
import org.crabro.document.DocumentType;

/** The sparse index of one type in a run that is being written. */
final class RunIndexWriter {
    private record Extent(long offset, int length, int rows, int flags) {}

    private final DocumentType type;
    private final KeyColumnWriter firstKeys = new KeyColumnWriter();
    private final List<Extent> extents = new ArrayList<>();
    private final RowKeyBuffer last = new RowKeyBuffer();
    private boolean hasLast;
    private int flags;

    RunIndexWriter(DocumentType type) {
        this.type = type;
    }

    DocumentType documentType() {
        return type;
    }

    boolean isEmpty() {
        return extents.isEmpty();
    }

    /**
     * Adds the key of a row.
     *
     * @param isFirst whether the row is the first of its block
     * @throws IllegalArgumentException if it is not after the last key
     */
    void add(RowKeyBuffer key, boolean isFirst) {
        if (hasLast && !key.isBehind(last)) {
            throw new IllegalArgumentException("%s is not after %s".formatted(key, last));
        }
        boolean isOfSameGroup = hasLast && last.isOfSameGroup(key);
        if (isFirst) {
            firstKeys.add(key);
            flags = isOfSameGroup ? RunLayout.GROUP_GOES_ON : 0;
        } else if (!isOfSameGroup) {
            flags |= RunLayout.SEVERAL_GROUPS;
        }
        last.set(key);
        hasLast = true;
    }

    /** Adds the block of the rows since the last block. */
    void addBlock(long offset, int length, int rows) {
        extents.add(new Extent(offset, length, rows, flags));
    }

    /** Writes the index in the layout of {@link RunLayout}. */
    void writeTo(BlockBytes out) {
        byte[] name = type.name().getBytes(UTF_8);
        out.putLong(type.fingerprint());
        out.putInt(extents.size());
        out.putInt(name.length);
        out.put(name);
        out.align(RunLayout.INDEX_ALIGNMENT);
        for (Extent extent : extents) {
            out.putLong(extent.offset());
            out.putInt(extent.length());
            out.putShort(extent.rows());
            out.putShort(extent.flags());
        }
        firstKeys.writeGroupsTo(out);
        firstKeys.writeRowsTo(out);
        out.align(RunLayout.INDEX_ALIGNMENT);
    }
}
