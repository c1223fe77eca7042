package org.crabro.content.storage.block;

import static org.crabro.content.storage.layout.BlockLayout.INT;
import static org.crabro.content.storage.layout.BlockLayout.SHORT;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Locale;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.function.Consumer;
import org.crabro.content.storage.block.key.GroupColumn;
import org.crabro.content.storage.block.key.KeyColumn;
import org.crabro.content.storage.file.CorruptRunException;
import org.crabro.content.storage.file.RunBytes;
import org.crabro.content.storage.journal.Damage;
import org.crabro.content.storage.layout.BlockLayout;
import org.crabro.content.storage.layout.BlockPages;
import org.crabro.content.storage.layout.ChunkEncoding;
import org.crabro.content.storage.os.Residency;
import org.crabro.document.DocumentType;

/**
 * The chunks of a block, as its directory describes them.
 *
 * @param bytes all bytes of a block whose header and directory were checked
 * @param offset of the block in its file
 */
public record BlockContents(MemorySegment bytes, DocumentType type, String file, long offset) {
    /**
     * Checks the header and directory of a block, and returns its contents.
     *
     * @param rows the number of rows in the run's index
     * @throws CorruptRunException if the header or directory is damaged
     */
    public static BlockContents of(
            MemorySegment bytes,
            DocumentType type,
            long fingerprint,
            int rows,
            String file,
            long offset) {
        var read = new RunBytes(file, bytes, Residency.ALWAYS);
        BlockMarks unchecked = BlockMarks.none(type, offset, bytes.byteSize());
        var origin = BlockOrigin.file(read, offset, type, unchecked);
        new BlockCheck(bytes, type, fingerprint, rows, origin).check();
        return new BlockContents(bytes, type, file, offset);
    }

    public int chunkCount() {
        return bytes.get(INT, BlockLayout.CHUNK_COUNT_OFFSET);
    }

    int rows() {
        return bytes.get(INT, BlockLayout.ROWS_OFFSET);
    }

    ChunkEncoding encoding(int chunk) {
        return ChunkEncoding.ofCode(
                bytes.get(
                        ValueLayout.JAVA_BYTE,
                        BlockLayout.entry(chunk) + BlockLayout.ENCODING_OFFSET));
    }

    public int length(int chunk) {
        return bytes.get(INT, BlockLayout.entry(chunk) + BlockLayout.CHUNK_LENGTH);
    }

    /** Returns the name of a chunk's field; empty if it has none. */
    public String field(int chunk) {
        int field =
                Short.toUnsignedInt(
                        bytes.get(SHORT, BlockLayout.entry(chunk) + BlockLayout.FIELD_OFFSET));
        return field == BlockLayout.NO_FIELD ? "" : type.fields().get(field).name();
    }

    /** Returns the name of a chunk's encoding for reports. */
    public String encodingName(int chunk) {
        return encoding(chunk).toString().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    /** Returns the bytes of a chunk. */
    MemorySegment chunk(int chunk) {
        return bytes.asSlice(chunkOffset(chunk), length(chunk));
    }

    private int chunkOffset(int chunk) {
        return bytes.get(INT, BlockLayout.entry(chunk) + BlockLayout.CHUNK_OFFSET);
    }

    /** Reports every damaged page; returns whether all pages are intact. */
    public boolean check(Consumer<Damage> damage) {
        return check(0, pages().count(), damage);
    }

    /** Reports the damaged pages of a chunk; returns whether all are intact. */
    boolean check(int chunk, Consumer<Damage> damage) {
        BlockPages pages = pages();
        long from = offset + chunkOffset(chunk);
        int length = length(chunk);
        return length == 0 || check(pages.page(from), pages.page(from + length - 1) + 1, damage);
    }

    private boolean check(int from, int to, Consumer<Damage> damage) {
        boolean isWhole = true;
        for (int page = from; page < to; page++) {
            Optional<Damage> problem = damage(page);
            problem.ifPresent(damage);
            isWhole &= problem.isEmpty();
        }
        return isWhole;
    }

    /** Returns the damage of a page, by its number in {@link BlockPages}; empty if it is intact. */
    Optional<Damage> damage(int page) {
        BlockPages pages = pages();
        int expected = pages.expectedCrc(page);
        int actual = pages.crc(page);
        if (actual == expected) {
            return Optional.empty();
        }
        long from = pages.from(page);
        long to = pages.to(page);
        return Optional.of(
                new Damage(
                        file,
                        offset + from,
                        "%d bytes with %s of crc %08x"
                                .formatted(to - from, names(from, to), expected),
                        "crc %08x".formatted(actual)));
    }

    private BlockPages pages() {
        return BlockPages.of(bytes, offset);
    }

    /** Returns the names of the parts in a range of the block. */
    private String names(long from, long to) {
        var names = new StringJoiner(", ").setEmptyValue("padding");
        for (int chunk = 0; chunk < chunkCount(); chunk++) {
            int start = chunkOffset(chunk);
            if (start < to && start + length(chunk) > from) {
                names.add(name(chunk));
            }
        }
        return names.toString();
    }

    private String name(int chunk) {
        String field = field(chunk);
        return field.isEmpty()
                ? encodingName(chunk)
                : "column '%s' as %s".formatted(field, encodingName(chunk));
    }

    /** Reports damaged keys to {@code damage}; returns whether all are intact. */
    public boolean checkKeys(Consumer<Damage> damage) {
        return check(chunkOf(ChunkEncoding.GROUPS), damage)
                && check(chunkOf(ChunkEncoding.KEYS), damage);
    }

    /**
     * Returns the keys. Their chunks must be checked before.
     *
     * @throws CorruptRunException if offsets of the keys are outside their chunks
     */
    public KeyColumn keys() {
        MemorySegment shared = chunk(chunkOf(ChunkEncoding.GROUPS));
        GroupColumn.problem(shared, rows()).ifPresent(this::tellKeys);
        var groups = new GroupColumn(shared, rows());
        MemorySegment keys = chunk(chunkOf(ChunkEncoding.KEYS));
        KeyColumn.problem(groups, keys, rows(), 0, rows()).ifPresent(this::tellKeys);
        return new KeyColumn(groups, keys, rows());
    }

    private void tellKeys(String problem) {
        throw new CorruptRunException(file, offset, "keys inside their chunks", problem);
    }

    /** Returns the index of a chunk that every block has. */
    private int chunkOf(ChunkEncoding encoding) {
        int chunk = 0;
        while (encoding(chunk) != encoding) {
            chunk++;
        }
        return chunk;
    }
}
