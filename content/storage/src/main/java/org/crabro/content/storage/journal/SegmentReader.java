package org.crabro.content.storage.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;

/** Reads the batches of one segment's file through a window that moves forward. */
final class SegmentReader {
    private static final int WINDOW = 1 << 20;

    private final LogFiles.LogFile file;
    private final long size;
    private ByteBuffer window = ByteBuffer.allocateDirect(0);
    private long windowStart;

    /** A whole batch. {@code records} are valid until the next read. */
    record Batch(
            int segment,
            int oldest,
            long firstNumber,
            LogPosition durable,
            long end,
            ByteBuffer records) {

        /** Returns the number of records. Their lengths were checked before. */
        int count() {
            int count = 0;
            for (int at = 0; at < records.limit(); count++) {
                at += BatchLayout.RECORD_HEADER + records.getInt(at);
            }
            return count;
        }
    }

    SegmentReader(LogFiles.LogFile file) throws IOException {
        this.file = file;
        this.size = file.size();
    }

    long size() {
        return size;
    }

    /** Returns the header's bytes; fewer if the file is shorter. */
    ByteBuffer header() throws IOException {
        return at(0, (int) Math.min(size, SegmentHeader.LENGTH));
    }

    /** Returns the whole batch that starts at {@code offset}; empty if there is none. */
    Optional<Batch> batch(long offset) throws IOException {
        return segmentNumber(offset) < 0 ? Optional.empty() : whole(offset);
    }

    /**
     * Returns the segment number in the bytes at {@code offset}, or -1 if no batch can start there.
     * Cheap: computes no checksum.
     */
    int segmentNumber(long offset) throws IOException {
        if (offset + BatchLayout.RECORDS_OFFSET > size) {
            return -1;
        }
        ByteBuffer head = at(offset, BatchLayout.RECORDS_OFFSET);
        int length = head.getInt(BatchLayout.LENGTH_OFFSET);
        if (length <= 0 || offset + BatchLayout.RECORDS_OFFSET + length > size) {
            return -1;
        }
        return head.getInt(BatchLayout.SEGMENT_OFFSET);
    }

    private Optional<Batch> whole(long offset) throws IOException {
        int length = at(offset, BatchLayout.RECORDS_OFFSET).getInt(BatchLayout.LENGTH_OFFSET);
        ByteBuffer batch = at(offset, BatchLayout.RECORDS_OFFSET + length);
        if (BatchLayout.checksum(batch, length) != batch.getInt(BatchLayout.CRC_OFFSET)) {
            return Optional.empty();
        }
        ByteBuffer records =
                batch.slice(BatchLayout.RECORDS_OFFSET, length).order(ByteOrder.LITTLE_ENDIAN);
        if (!isSound(batch, records)) {
            return Optional.empty();
        }
        return Optional.of(
                new Batch(
                        batch.getInt(BatchLayout.SEGMENT_OFFSET),
                        batch.getInt(BatchLayout.OLDEST_OFFSET),
                        batch.getLong(BatchLayout.FIRST_NUMBER_OFFSET),
                        LogPosition.unpack(batch.getLong(BatchLayout.DURABLE_OFFSET)),
                        offset + BatchLayout.size(length),
                        records));
    }

    /** Returns whether a batch with the correct checksum is one that a journal writes. */
    private static boolean isSound(ByteBuffer batch, ByteBuffer records) {
        int segment = batch.getInt(BatchLayout.SEGMENT_OFFSET);
        if (segment > LogPosition.SEGMENT_MAX
                || !LogPosition.isPacked(batch.getLong(BatchLayout.DURABLE_OFFSET))) {
            return false;
        }
        int at = 0;
        while (at <= records.limit() - BatchLayout.RECORD_HEADER) {
            int length = records.getInt(at);
            at += BatchLayout.RECORD_HEADER;
            if (length < 0 || length > records.limit() - at) {
                return false;
            }
            at += length;
        }
        return at == records.limit();
    }

    /** Returns {@code length} bytes from {@code offset} on. The file must contain them. */
    private ByteBuffer at(long offset, int length) throws IOException {
        if (offset < windowStart || offset + length > windowStart + window.limit()) {
            move(offset, length);
        }
        ByteBuffer bytes = window.slice((int) (offset - windowStart), length);
        return bytes.order(ByteOrder.LITTLE_ENDIAN);
    }

    private void move(long offset, int length) throws IOException {
        int wanted = (int) Math.max(length, Math.min(WINDOW, size));
        if (window.capacity() < wanted) {
            window = ByteBuffer.allocateDirect(wanted);
        }
        window.clear();
        window.limit((int) Math.min(window.capacity(), size - offset));
        int count = file.read(window, offset);
        if (count < length) {
            throw new IOException(
                    "the file ended at byte %d while it was read, expected %d"
                            .formatted(offset + count, size));
        }
        window.limit(count);
        windowStart = offset;
    }
}
