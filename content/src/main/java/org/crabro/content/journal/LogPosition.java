package org.crabro.content.journal;

/**
 * Where a batch starts in the journal.
 *
 * <p>Positions order as the batches were appended. They stay valid until the segment they name is
 * recycled; the segments' numbers go on rising, so an old position never names new bytes.
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
     * @throws IllegalArgumentException if either part is out of its range, or the offset is not
     *     aligned
     */
    public LogPosition {
        if (segment < 0 || segment > SEGMENT_MAX) {
            throw new IllegalArgumentException("segment out of range: " + segment);
        }
        if (offset < 0 || offset >>> OFFSET_BITS != 0 || offset % ALIGNMENT != 0) {
            throw new IllegalArgumentException("offset out of range or not aligned: " + offset);
        }
    }

    /** Returns this position as one {@code long}, as a batch stores it. */
    public long pack() {
        return ((long) segment << OFFSET_BITS) | offset;
    }

    /** Returns whether {@link #pack()} returns {@code number} for a position. */
    static boolean isPacked(long number) {
        return number >= 0 && number >>> OFFSET_BITS <= SEGMENT_MAX && number % ALIGNMENT == 0;
    }

    /** Returns the position that {@link #pack()} made {@code packed} from. */
    public static LogPosition unpack(long packed) {
        return new LogPosition((int) (packed >>> OFFSET_BITS), packed & 0xFFFF_FFFFL);
    }

    @Override
    public int compareTo(LogPosition that) {
        return Long.compare(pack(), that.pack());
    }
}
