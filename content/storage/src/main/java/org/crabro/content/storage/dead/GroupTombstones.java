package org.crabro.content.storage.dead;

import static org.crabro.content.storage.layout.BlockLayout.INT;
import static org.crabro.content.storage.layout.BlockLayout.LONG;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.crabro.content.storage.block.key.RowKey;
import org.crabro.content.storage.layout.BlockLayout;
import org.crabro.content.storage.layout.RunLayout;

/**
 * A view of the group tombstones in the file of a run, in the order of places, and of texts if
 * places are equal.
 */
public final class GroupTombstones {
    public static final GroupTombstones NONE = new GroupTombstones(MemorySegment.NULL, 0);

    private final MemorySegment entries;
    private final int count;

    /**
     * @param entries in the layout of {@link RunLayout}, {@link #isWhole whole}
     */
    public GroupTombstones(MemorySegment entries, int count) {
        this.entries = entries;
        this.count = count;
    }

    /** Returns whether every text of {@code count} entries is inside. */
    public static boolean isWhole(MemorySegment entries, int count) {
        long texts = (long) count * RunLayout.GROUP_SIZE;
        if (count < 0 || texts > entries.byteSize()) {
            return false;
        }
        for (int i = 0; i < count; i++) {
            long entry = (long) i * RunLayout.GROUP_SIZE;
            long start = entries.get(INT, entry + RunLayout.GROUP_TEXT);
            long length = entries.get(INT, entry + RunLayout.GROUP_TEXT_LENGTH);
            if (start < texts || length < 0 || start + length > entries.byteSize()) {
                return false;
            }
        }
        return true;
    }

    /** Returns a copy in memory: gets read it long after the checksum was checked. */
    public GroupTombstones copy(SegmentAllocator arena) {
        MemorySegment copied = arena.allocate(entries.byteSize(), Long.BYTES);
        return new GroupTombstones(copied.copyFrom(entries), count);
    }

    public int count() {
        return count;
    }

    public boolean isEmpty() {
        return count == 0;
    }

    public long place(int index) {
        return entries.get(LONG, entry(index) + RunLayout.GROUP_PLACE);
    }

    public long timestamp(int index) {
        return entries.get(LONG, entry(index) + RunLayout.GROUP_TIMESTAMP);
    }

    String text(int index) {
        MemorySegment text = textBytes(index);
        return BlockLayout.text(text, 0, text.byteSize());
    }

    /**
     * Returns the tombstone at {@code index}.
     *
     * @throws org.crabro.document.InvalidDocumentException if the text is not a group
     */
    public GroupTombstone get(int index) {
        return GroupTombstone.of(text(index), timestamp(index));
    }

    private MemorySegment textBytes(int index) {
        long at = entry(index);
        return entries.asSlice(
                entries.get(INT, at + RunLayout.GROUP_TEXT),
                entries.get(INT, at + RunLayout.GROUP_TEXT_LENGTH));
    }

    private static long entry(int index) {
        return (long) index * RunLayout.GROUP_SIZE;
    }

    /** Returns the index of the tombstone of the group of {@code key}, or -1. */
    public int find(RowKey key) {
        byte[] text = Arrays.copyOfRange(key.text(), key.typeFrom(), key.groupTo());
        int low = 0;
        int high = count;
        while (low < high) {
            int middle = (low + high) >>> 1;
            int order = compare(middle, key.place(), text);
            if (order == 0) {
                return middle;
            }
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return -1;
    }

    /** Compares the tombstone at {@code index} with another. */
    public int compare(int index, long place, byte[] text) {
        int byPlace = Long.compareUnsigned(place(index), place);
        return byPlace != 0
                ? byPlace
                : Arrays.compareUnsigned(textBytes(index).toArray(ValueLayout.JAVA_BYTE), text);
    }
}
