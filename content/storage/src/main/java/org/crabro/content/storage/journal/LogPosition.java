package org.crabro.content.storage.journal;

/**
 * The place where a batch starts in the journal.
 *
 * <p>Positions have the order in which the batches were appended. A position is valid until its
 * segment is recycled. Segment numbers only increase, so an old position never refers to new bytes.
 *
 * {@snippet :
 * var position = new LogPosition(3, 4_096);
 * assert LogPosition.unpack(position.pack()).equals(position);
 * }
 *
 * @param segment the segment's number, 0 to {@value #SEGMENT_MAX}
 * @param offset bytes from the start of the segment's file to the batch, a multiple of {@value
 *     #ALIGNMENT}, below 4 GiB
 */
public record LogPosition(int segment, long offset) implements Comparable<LogPosition> {
    /** Batches start at multiples of this many bytes. */
    public static final int ALIGNMENT = 512;

    /** The largest segment number, so that a position packs into one {@code long}. */
    public static final int SEGMENT_MAX = (1 << 30) - 1;

    private static final int OFFSET_BITS = 32;

    /**
     * @throws IllegalArgumentException if either part is out of range, or the offset is not aligned
     */
    public LogPosition {
        if (segment < 0 || segment > SEGMENT_MAX) {
            throw new IllegalArgumentException("segment out of range: " + segment);
        }
        if (offset < 0 || offset >>> OFFSET_BITS != 0 || offset % ALIGNMENT != 0) {
            throw new IllegalArgumentException("offset out of range or not aligned: " + offset);
        }
    }

    /** Returns this position as one {@code long}, the form that batches store. */
    public long pack() {
        return ((long) segment << OFFSET_BITS) | offset;
    }

    /** Returns whether {@code number} is a valid result of {@link #pack()}. */
    static boolean isPacked(long number) {
        return number >= 0 && number >>> OFFSET_BITS <= SEGMENT_MAX && number % ALIGNMENT == 0;
    }

    /** Returns the position that {@link #pack()} packed as {@code packed}. */
    public static LogPosition unpack(long packed) {
        return new LogPosition((int) (packed >>> OFFSET_BITS), packed & 0xFFFF_FFFFL);
    }

    @Override
    public int compareTo(LogPosition that) {
        return Long.compare(pack(), that.pack());
    }
}
