package org.crabro.content.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.crabro.document.DocumentType;

/** The sparse index of one type in a run about to be written. */
final class RunIndexWriter {
    private record Extent(long offset, int length, int rows) {}

    private final DocumentType type;
    private final List<SortKey> firstKeys = new ArrayList<>();
    private final List<Extent> extents = new ArrayList<>();
    private Optional<SortKey> last = Optional.empty();

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
     * @throws IllegalArgumentException if it is not behind the last
     */
    void add(SortKey key, boolean isFirst) {
        if (last.isPresent() && last.get().compareTo(key) >= 0) {
            throw new IllegalArgumentException("%s is not behind %s".formatted(key, last.get()));
        }
        last = Optional.of(key);
        if (isFirst) {
            firstKeys.add(key);
        }
    }

    /** Adds the block that holds the rows since the last. */
    void addBlock(long offset, int length, int rows) {
        extents.add(new Extent(offset, length, rows));
    }

    /** Writes the index, laid out as {@link RunLayout} tells. */
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
            out.putInt(extent.rows());
        }
        KeyChunks.writeKeys(firstKeys, out);
        out.align(RunLayout.INDEX_ALIGNMENT);
    }
}
