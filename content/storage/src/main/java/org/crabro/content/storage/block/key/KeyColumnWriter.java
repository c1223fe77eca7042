package org.crabro.content.storage.block.key;

import java.util.Arrays;
import org.crabro.content.storage.layout.BlockBytes;
import org.crabro.content.storage.layout.KeyLayout;

/**
 * Collects keys in ascending order and writes them as a key column: first the shared parts of the
 * groups, then the part of each row. Reused for the next.
 */
public final class KeyColumnWriter {
    private static final int FIRST_CAPACITY = 16;

    /** A head is searched only among this many; later heads may be stored twice. */
    private static final int HEADS_SOUGHT = 256;

    private long[] places = new long[FIRST_CAPACITY];
    private int[] firstRows = new int[FIRST_CAPACITY];
    private int[] groupEnds = new int[FIRST_CAPACITY];
    private final BlockBytes groups = new BlockBytes(FIRST_CAPACITY * 16);
    private int groupCount;

    private int[] headEnds = new int[FIRST_CAPACITY];
    private final BlockBytes heads = new BlockBytes(FIRST_CAPACITY * 16);
    private int headCount;

    private long[] documents = new long[FIRST_CAPACITY];
    private int[] codes = new int[FIRST_CAPACITY];
    private int[] tailEnds = new int[FIRST_CAPACITY];
    private final BlockBytes tails = new BlockBytes(FIRST_CAPACITY * 16);
    private int count;

    public int count() {
        return count;
    }

    public void clear() {
        groups.clear();
        heads.clear();
        tails.clear();
        groupCount = 0;
        headCount = 0;
        count = 0;
    }

    public void add(RowKeyBuffer key) {
        if (count == documents.length) {
            documents = Arrays.copyOf(documents, 2 * count);
            codes = Arrays.copyOf(codes, 2 * count);
            tailEnds = Arrays.copyOf(tailEnds, 2 * count);
        }
        if (groupCount == 0 || !isOfLastGroup(key)) {
            addGroup(key);
        }
        documents[count] = key.document();
        codes[count] = head(key);
        int tail = key.groupTo() + 1;
        tails.put(key.text(), tail, key.length() - tail);
        tailEnds[count] = tails.position();
        count++;
    }

    private boolean isOfLastGroup(RowKeyBuffer key) {
        int last = groupCount - 1;
        return places[last] == key.place()
                && isAt(groups, groupEnds, last, key.text(), key.groupFrom(), key.groupTo());
    }

    private void addGroup(RowKeyBuffer key) {
        if (groupCount == places.length) {
            places = Arrays.copyOf(places, 2 * groupCount);
            firstRows = Arrays.copyOf(firstRows, 2 * groupCount);
            groupEnds = Arrays.copyOf(groupEnds, 2 * groupCount);
        }
        places[groupCount] = key.place();
        firstRows[groupCount] = count;
        groups.put(key.text(), key.groupFrom(), key.groupTo() - key.groupFrom());
        groupEnds[groupCount] = groups.position();
        groupCount++;
    }

    /** Returns the number of the key's head; most rows have the head of the previous row. */
    private int head(RowKeyBuffer key) {
        int before = count == 0 ? 0 : codes[count - 1];
        if (before < headCount && isHead(before, key)) {
            return before;
        }
        for (int head = 0; head < Math.min(headCount, HEADS_SOUGHT); head++) {
            if (isHead(head, key)) {
                return head;
            }
        }
        if (headCount == headEnds.length) {
            headEnds = Arrays.copyOf(headEnds, 2 * headCount);
        }
        heads.put(key.text(), 0, key.groupFrom());
        headEnds[headCount] = heads.position();
        return headCount++;
    }

    private boolean isHead(int head, RowKeyBuffer key) {
        return isAt(heads, headEnds, head, key.text(), 0, key.groupFrom());
    }

    private static boolean isAt(
            BlockBytes texts, int[] ends, int index, byte[] text, int from, int to) {
        int start = index == 0 ? 0 : ends[index - 1];
        return Arrays.equals(texts.array(), start, ends[index], text, from, to);
    }

    private int rowWidth() {
        return groupCount == count ? 0 : KeyLayout.width(count);
    }

    private int textWidth() {
        return groups.position() == 0 ? 0 : KeyLayout.width(groups.position());
    }

    private int codeWidth() {
        if (headCount == 1) {
            return 0;
        }
        return headCount <= 1 << Byte.SIZE ? Byte.BYTES : KeyLayout.width(headCount);
    }

    private int startWidth() {
        return KeyLayout.width(tails.position());
    }

    /** Returns the number of bytes that {@link #writeGroupsTo} writes. */
    public long groupsSize() {
        return KeyLayout.PLACES
                + (8L + rowWidth()) * groupCount
                + textWidth() * (groupCount + 1L)
                + groups.position()
                + 4 * (headCount + 1L)
                + heads.position();
    }

    /** Writes the shared parts in the layout of {@link KeyLayout}. */
    public void writeGroupsTo(BlockBytes out) {
        out.putInt(groupCount);
        out.putInt(headCount);
        out.putInt(groups.position());
        out.putInt(heads.position());
        out.putByte(rowWidth());
        out.putByte(textWidth());
        out.putShort(0);
        out.putLongs(places, groupCount);
        put(out, firstRows, groupCount, rowWidth());
        putStarts(out, groupEnds, groupCount, textWidth());
        out.put(groups);
        putStarts(out, headEnds, headCount, Integer.BYTES);
        out.put(heads);
    }

    /** Returns the number of bytes that {@link #writeRowsTo} writes. */
    public long rowsSize() {
        return KeyLayout.CODES
                + (8L + codeWidth()) * count
                + startWidth() * (count + 1L)
                + tails.position();
    }

    /** Writes the parts of the rows in the layout of {@link KeyLayout}. */
    public void writeRowsTo(BlockBytes out) {
        out.putInt(tails.position());
        out.putByte(codeWidth());
        out.putByte(startWidth());
        out.putShort(0);
        put(out, codes, count, codeWidth());
        putStarts(out, tailEnds, count, startWidth());
        out.put(tails);
        out.putLongs(documents, count);
    }

    /** Writes 0 and the end of each text, which is the start of the next. */
    private static void putStarts(BlockBytes out, int[] ends, int count, int width) {
        switch (width) {
            case Short.BYTES -> out.putShort(0);
            case Integer.BYTES -> out.putInt(0);
            default -> {
                return;
            }
        }
        put(out, ends, count, width);
    }

    private static void put(BlockBytes out, int[] numbers, int count, int width) {
        switch (width) {
            case Byte.BYTES -> {
                for (int i = 0; i < count; i++) {
                    out.putByte(numbers[i]);
                }
            }
            case Short.BYTES -> {
                for (int i = 0; i < count; i++) {
                    out.putShort(numbers[i]);
                }
            }
            case Integer.BYTES -> out.putInts(numbers, count);
            default -> {
                // Width 0: not stored.
            }
        }
    }
}
