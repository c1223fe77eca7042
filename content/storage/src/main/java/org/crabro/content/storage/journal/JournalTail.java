package org.crabro.content.storage.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.crabro.content.storage.journal.SegmentReader.Batch;

/**
 * The bytes of a segment's file after its last whole batch: a batch that was partly written or
 * damaged. The next batch overwrites them.
 *
 * <p>Zeros do not count as a tail: the log fills files with zeros ahead of the batches. Batches of
 * an earlier use of the file do not count either.
 *
 * @param offset in the file
 * @param length up to the last byte that is not zero, or up to the end that the batch header states
 */
record JournalTail(long offset, long length) {
    private static final int STEP = 1 << 20;

    /**
     * Finds the tail of a file.
     *
     * @param from the end of the last whole batch
     * @param segment the number of the newest segment
     */
    static Optional<JournalTail> find(LogFiles.LogFile file, long from, int segment)
            throws IOException {
        long end = endOfBytes(file, from);
        if (end <= from) {
            return Optional.empty();
        }
        var reader = new SegmentReader(file);
        boolean isOfNewest = reader.segmentNumber(from) >= segment;
        if (hasEarlierBatch(reader, from, segment)) {
            return isOfNewest
                    ? Optional.of(new JournalTail(from, Math.min(end - from, size(file, from))))
                    : Optional.empty();
        }
        return Optional.of(new JournalTail(from, end - from));
    }

    /** Returns the size in bytes that the batch header states. */
    private static long size(LogFiles.LogFile file, long offset) throws IOException {
        ByteBuffer length = ByteBuffer.allocate(Integer.BYTES);
        file.read(length, offset + BatchLayout.LENGTH_OFFSET);
        return BatchLayout.size(Integer.reverseBytes(length.flip().getInt()));
    }

    private static boolean hasEarlierBatch(SegmentReader reader, long from, int segment)
            throws IOException {
        for (long at = from; at < reader.size(); at += LogPosition.ALIGNMENT) {
            int number = reader.segmentNumber(at);
            if (number >= 0 && number < segment) {
                Optional<Batch> batch = reader.batch(at);
                if (batch.isPresent()) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Returns the offset after the last byte that is not zero. */
    private static long endOfBytes(LogFiles.LogFile file, long from) throws IOException {
        long end = from;
        ByteBuffer buffer = ByteBuffer.allocate(STEP);
        long at = from;
        while (true) {
            buffer.clear();
            int count = file.read(buffer, at);
            if (count <= 0) {
                return end;
            }
            for (int i = count - 1; i >= 0; i--) {
                if (buffer.get(i) != 0) {
                    end = at + i + 1;
                    break;
                }
            }
            at += count;
        }
    }
}
