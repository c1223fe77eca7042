package org.crabro.content.storage.journal;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import org.crabro.content.storage.journal.FaultyLogFiles.Loss;

/**
 * The bytes of one file: as programs see them, as the device has them, and the changes since the
 * last force.
 *
 * <p>A device writes a sector entirely or not at all, and writes sectors in any order. After a loss
 * of power each sector has its forced bytes, or those of any later change. Guarded by the files
 * that it belongs to.
 */
final class FaultyContent {
    static final int SECTOR = 512;

    private static final int MAPPING_ALIGNMENT = 4_096;

    private byte[] bytes = {};
    private int size;
    private byte[] durable = {};
    private int durableSize;
    private final Deque<Change> unforced = new ArrayDeque<>();

    /** The number of changes that are durable, or will never be. */
    private long doneChanges;

    private int openCount;
    private final List<Arena> mappings = new ArrayList<>();

    /** Bytes that were written from {@code start} on, and the file's size after the write. */
    private static final class Change {
        private final int start;
        private final byte[] bytes;
        private final int size;

        Change(int start, byte[] bytes, int size) {
            this.start = start;
            this.bytes = bytes;
            this.size = size;
        }

        int end() {
            return start + bytes.length;
        }
    }

    int size() {
        return size;
    }

    void open() {
        openCount++;
    }

    void close() {
        openCount--;
    }

    /** Returns whether the file takes space without a name. */
    boolean isInUse() {
        return openCount > 0 || isMapped();
    }

    boolean isMapped() {
        return mappings.stream().anyMatch(arena -> arena.scope().isAlive());
    }

    MemorySegment map(Arena arena) {
        mappings.add(arena);
        MemorySegment segment = arena.allocate(size, MAPPING_ALIGNMENT);
        MemorySegment.copy(MemorySegment.ofArray(bytes), 0, segment, 0, size);
        return segment.asReadOnly();
    }

    int read(ByteBuffer into, long offset) {
        int start = (int) Math.min(offset, size);
        int length = Math.min(into.remaining(), size - start);
        into.put(bytes, start, length);
        return length;
    }

    void write(ByteBuffer source, int start) {
        var written = new byte[source.remaining()];
        source.get(written);
        change(new Change(start, written, Math.max(size, start + written.length)));
    }

    void resize(int newSize) {
        int start = Math.min(size, newSize);
        change(new Change(start, new byte[Math.max(0, size - newSize)], newSize));
    }

    private void change(Change change) {
        bytes = withRoom(bytes, Math.max(change.end(), change.size));
        System.arraycopy(change.bytes, 0, bytes, change.start, change.bytes.length);
        size = change.size;
        unforced.add(change);
    }

    private static byte[] withRoom(byte[] bytes, int length) {
        return length <= bytes.length
                ? bytes
                : Arrays.copyOf(bytes, Math.max(length, 2 * bytes.length));
    }

    /** Returns a number that distinguishes the changes so far from later ones. */
    long changes() {
        return doneChanges + unforced.size();
    }

    /** Makes the changes durable that {@link #changes} counted. */
    void makeDurable(long changes) {
        while (doneChanges < changes) {
            Change change = unforced.remove();
            doneChanges++;
            durable = withRoom(durable, Math.max(change.end(), change.size));
            System.arraycopy(change.bytes, 0, durable, change.start, change.bytes.length);
            durableSize = change.size;
        }
    }

    /**
     * Forgets the changes that were to be forced, as Linux does after a failed force. Each sector
     * went to the device or did not, and the next force succeeds without writing any of it. Bytes
     * that did not reach the device may be visible while the page stays in memory, or be lost at
     * once.
     */
    void failForce(Random random) {
        byte[] onDevice = afterLoss(random);
        int deviceSize = random.nextBoolean() ? size : durableSize;
        doneChanges += unforced.size();
        unforced.clear();
        durable = withRoom(onDevice, Math.max(size, deviceSize));
        durableSize = deviceSize;
        Arrays.fill(durable, durableSize, durable.length, (byte) 0);
        for (int sector = 0; sector < size; sector += SECTOR) {
            if (random.nextInt(4) == 0) {
                int length = Math.min(SECTOR, size - sector);
                System.arraycopy(durable, sector, bytes, sector, length);
            }
        }
    }

    void flip(int offset, int bit) {
        bytes[offset] ^= (byte) (1 << bit);
        if (offset < durable.length) {
            durable[offset] ^= (byte) (1 << bit);
        }
    }

    /** Returns the state of this file after a crash. */
    FaultyContent after(Loss loss, Random random) {
        var after = new FaultyContent();
        switch (loss) {
            case NOTHING -> {
                after.bytes = bytes.clone();
                after.size = size;
                after.unforced.addAll(unforced);
                after.durable = durable.clone();
                after.durableSize = durableSize;
                return after;
            }
            case SOME -> {
                after.bytes = afterLoss(random);
                after.size = sizeAfterLoss(random);
            }
            case EVERYTHING -> {
                after.bytes = durable.clone();
                after.size = durableSize;
            }
        }
        after.bytes = withRoom(after.bytes, after.size);
        Arrays.fill(after.bytes, after.size, after.bytes.length, (byte) 0);
        after.durable = after.bytes.clone();
        after.durableSize = after.size;
        return after;
    }

    private int sizeAfterLoss(Random random) {
        int sizes = random.nextInt(unforced.size() + 1);
        int size = durableSize;
        for (Change change : unforced) {
            if (sizes == 0) {
                break;
            }
            size = change.size;
            sizes--;
        }
        return size;
    }

    /** Returns the bytes after a random number of changes in each sector. */
    private byte[] afterLoss(Random random) {
        int length = Math.max(durable.length, bytes.length);
        int[] left = changesBySector(length);
        int kind = random.nextInt(3);
        for (int i = 0; i < left.length; i++) {
            left[i] =
                    switch (kind) {
                        case 0 -> 0;
                        case 1 -> left[i];
                        default -> random.nextInt(left[i] + 1);
                    };
        }
        byte[] content = Arrays.copyOf(durable, length);
        for (Change change : unforced) {
            for (int at = change.start; at < change.end(); at = endOfSector(at, change)) {
                int sector = at / SECTOR;
                if (left[sector] > 0) {
                    left[sector]--;
                    int from = at - change.start;
                    System.arraycopy(change.bytes, from, content, at, endOfSector(at, change) - at);
                }
            }
        }
        return content;
    }

    private int[] changesBySector(int length) {
        var counts = new int[length / SECTOR + 1];
        for (Change change : unforced) {
            for (int at = change.start; at < change.end(); at = endOfSector(at, change)) {
                counts[at / SECTOR]++;
            }
        }
        return counts;
    }

    private static int endOfSector(int at, Change change) {
        return Math.min(change.end(), at - at % SECTOR + SECTOR);
    }
}
