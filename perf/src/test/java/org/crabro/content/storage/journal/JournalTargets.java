package org.crabro.content.storage.journal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.crabro.perf.fuzz.FuzzTarget;

/** A journal with a segment of any bytes. */
public final class JournalTargets {
    private static final String DIRECTORY = "journal";

    private JournalTargets() {}

    /** Returns the targets. */
    public static List<FuzzTarget> all() {
        return List.of(
                FuzzTarget.ofBytes("journals", JournalTargets::read, CorruptJournalException.class)
                        .withSeeds(List.of(segment())),
                FuzzTarget.ofBytes(
                                "sealed-journals",
                                input -> read(sealed(input)),
                                CorruptJournalException.class)
                        .withSeeds(List.of(segment())));
    }

    /** Returns the used bytes of a segment. */
    private static byte[] segment() {
        var files = new MemoryLogFiles();
        try {
            write(files);
            try (LogFiles.LogFile file = files.open(path(files))) {
                var bytes = ByteBuffer.allocate(4 << 10);
                file.read(bytes, 0);
                return bytes.array();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("files in memory can be written", e);
        }
    }

    private static void write(LogFiles files) throws IOException {
        try (SegmentedLog log = open(files)) {
            for (int i = 0; i < 3; i++) {
                log.commit(List.of(LogRecord.of(new byte[100 * i + 1])));
            }
        }
    }

    private static SegmentedLog open(LogFiles files) throws IOException {
        return SegmentedLog.open(files, DIRECTORY, SegmentedLog.SEGMENT_BYTES_MIN, 1, (_, _) -> {});
    }

    private static String path(LogFiles files) throws IOException {
        return DIRECTORY + "/" + files.list(DIRECTORY).getFirst();
    }

    /** Corrects the checksums of the header and of each batch. */
    private static byte[] sealed(byte[] input) {
        ByteBuffer bytes = ByteBuffer.wrap(input.clone()).order(ByteOrder.LITTLE_ENDIAN);
        if (bytes.capacity() >= SegmentHeader.LENGTH) {
            seal(bytes, SegmentHeader.CRC_OFFSET, 0, SegmentHeader.CRC_OFFSET);
        }
        for (int at = SegmentHeader.LENGTH;
                at + BatchLayout.RECORDS_OFFSET <= bytes.capacity();
                at += LogPosition.ALIGNMENT) {
            int length = bytes.getInt(at + BatchLayout.LENGTH_OFFSET);
            if (length > 0 && length <= bytes.capacity() - at - BatchLayout.RECORDS_OFFSET) {
                seal(
                        bytes,
                        at + BatchLayout.CRC_OFFSET,
                        at + BatchLayout.LENGTH_OFFSET,
                        at + BatchLayout.RECORDS_OFFSET + length);
                at += (int) BatchLayout.size(length) - LogPosition.ALIGNMENT;
            }
        }
        return bytes.array();
    }

    private static void seal(ByteBuffer bytes, int crcOffset, int from, int to) {
        var crc = new CRC32C();
        crc.update(bytes.slice(from, to - from));
        bytes.putInt(crcOffset, (int) crc.getValue());
    }

    /** A scan and a salvage end, too. */
    private static void read(byte[] input) throws IOException {
        var files = new MemoryLogFiles();
        try (SegmentedLog log = open(files)) {
            log.commit(List.of(LogRecord.of(new byte[1])));
        }
        try (LogFiles.LogFile file = files.open(path(files))) {
            file.write(ByteBuffer.wrap(input), 0);
        }
        JournalScan.run(
                files,
                DIRECTORY,
                _ -> Optional.empty(),
                new JournalReport() {
                    @Override
                    public void segment(SegmentSummary segment) {}

                    @Override
                    public void damage(Damage item) {}
                });
        JournalSalvage.of(files, DIRECTORY, 1, 1);
        open(files).close();
    }
}
