package org.crabro.content.storage.partition;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.crabro.content.storage.block.key.RowKey;
import org.crabro.content.storage.file.CorruptRunException;
import org.crabro.content.storage.file.DamageRegister;
import org.crabro.content.storage.file.ReadContext;
import org.crabro.content.storage.file.RunBytes;
import org.crabro.content.storage.journal.LogFiles;
import org.crabro.content.storage.journal.MemoryLogFiles;
import org.crabro.content.storage.layout.RunLayout;
import org.crabro.content.storage.manifest.ManifestLayout;
import org.crabro.content.storage.manifest.ManifestSnapshot;
import org.crabro.content.storage.manifest.PlaceRange;
import org.crabro.content.storage.manifest.RunEntry;
import org.crabro.content.storage.run.Run;
import org.crabro.content.storage.run.RunReader;
import org.crabro.content.storage.run.StoredTypes;
import org.crabro.document.DocumentType;
import org.crabro.perf.fuzz.FuzzTarget;
import org.crabro.perf.fuzz.FuzzedApplication;
import org.crabro.perf.fuzz.FuzzedDocuments;
import org.crabro.protocol.encoding.Row;
import org.crabro.protocol.encoding.RowEncoding;

/** Runs, manifests and lists of partitions. */
public final class RunTargets {
    private static final String DIRECTORY = "partitions/00";
    private static final String RUN = DIRECTORY + "/1.run";
    private static final DocumentType TYPE = FuzzedApplication.type();
    private static final StoredTypes TYPES =
            fingerprint -> Optional.of(TYPE).filter(type -> type.fingerprint() == fingerprint);
    private static final List<Row> ROWS =
            List.of(FuzzedDocuments.row(TYPE, 1), FuzzedDocuments.row(TYPE, 2));

    private static final List<Part> PARTS =
            List.of(
                    new Part(
                            RunLayout.INDEX_OFFSET,
                            RunLayout.INDEX_LENGTH,
                            1,
                            false,
                            RunLayout.INDEX_CRC),
                    new Part(
                            RunLayout.TOMBSTONES_OFFSET,
                            RunLayout.TOMBSTONES_COUNT,
                            RunLayout.TOMBSTONE_SIZE,
                            false,
                            RunLayout.TOMBSTONES_CRC),
                    new Part(
                            RunLayout.SUPERSEDES_OFFSET,
                            RunLayout.SUPERSEDES_COUNT,
                            RunLayout.SUPERSEDED_SIZE,
                            false,
                            RunLayout.SUPERSEDES_CRC),
                    new Part(
                            RunLayout.GROUPS_OFFSET,
                            RunLayout.GROUPS_LENGTH,
                            1,
                            false,
                            RunLayout.GROUPS_CRC),
                    new Part(
                            RunLayout.REMOVED_OFFSET,
                            RunLayout.REMOVED_COUNT,
                            RunLayout.REMOVED_SIZE,
                            true,
                            RunLayout.REMOVED_CRC),
                    new Part(
                            RunLayout.FILTER_OFFSET,
                            RunLayout.FILTER_LENGTH,
                            1,
                            false,
                            RunLayout.FILTER_CRC));

    private RunTargets() {}

    /** Returns the targets. */
    public static List<FuzzTarget> all() {
        try {
            return targets();
        } catch (IOException e) {
            throw new UncheckedIOException("files in memory can be written", e);
        }
    }

    private static List<FuzzTarget> targets() throws IOException {
        var files = new MemoryLogFiles();
        try (RunLog log = RunLog.open(files, DIRECTORY, TYPES)) {
            log.add(
                    run -> {
                        run.begin(TYPE);
                        for (Row row : ROWS) {
                            run.add(
                                    RowKey.of(row.id()),
                                    MemorySegment.ofArray(RowEncoding.encode(row, TYPE)));
                        }
                    },
                    1,
                    2,
                    3);
        }
        return List.of(
                FuzzTarget.ofBytes("runs", RunTargets::run, CorruptRunException.class)
                        .withSeeds(List.of(bytes(files, RUN))),
                FuzzTarget.ofBytes("manifests", RunTargets::manifest, CorruptRunException.class)
                        .withSeeds(List.of(bytes(files, DIRECTORY + "/manifest.1"))),
                FuzzTarget.ofBytes(
                                "sealed-runs",
                                bytes -> described(sealedRun(bytes)),
                                CorruptRunException.class)
                        .withSeeds(List.of(bytes(files, RUN))),
                FuzzTarget.ofBytes(
                                "sealed-manifests",
                                bytes -> manifest(sealedManifest(bytes)),
                                CorruptRunException.class)
                        .withSeeds(List.of(bytes(files, DIRECTORY + "/manifest.1"))),
                FuzzTarget.ofText(
                        "partition-lists",
                        RunTargets::partitions,
                        IOException.class,
                        PartitionRefusedException.class));
    }

    private static byte[] bytes(LogFiles files, String path) throws IOException {
        try (LogFiles.LogFile file = files.open(path)) {
            var bytes = ByteBuffer.allocate((int) file.size());
            file.read(bytes, 0);
            return bytes.array();
        }
    }

    private static LogFiles with(String path, byte[] bytes) throws IOException {
        var files = new MemoryLogFiles();
        try (LogFiles.LogFile file = files.create(path)) {
            file.write(ByteBuffer.wrap(bytes), 0);
        }
        return files;
    }

    private static void run(byte[] bytes) throws IOException {
        var entry =
                new RunEntry(
                        1,
                        1,
                        new RunEntry.Size(ROWS.size(), bytes.length),
                        PlaceRange.ALL,
                        PlaceRange.ALL,
                        0);
        Run run = Run.open(with(RUN, bytes), RUN, entry, TYPES, new DamageRegister());
        try {
            for (Row row : ROWS) {
                run.find(RowKey.of(row.id()), new ReadContext())
                        .ifPresent(match -> match.row(_ -> {}));
            }
        } finally {
            run.release();
        }
    }

    /** Reads the description of a run, without its blocks. */
    private static void described(byte[] bytes) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            LogFiles files = with(RUN, bytes);
            var reader =
                    new RunReader(new RunBytes(RUN, files.map(RUN, arena), files.residency()), 1);
            reader.sections(TYPES, arena);
            reader.tombstones();
            reader.superseded();
            reader.groupTombstones();
            reader.removed();
            reader.filter(new ReadContext());
        }
    }

    /** Corrects the checksums of the header, of the footer and of each part inside. */
    private static byte[] sealedRun(byte[] input) {
        byte[] sealed = input.clone();
        ByteBuffer bytes = ByteBuffer.wrap(sealed).order(ByteOrder.LITTLE_ENDIAN);
        int footer = sealed.length - RunLayout.FOOTER_SIZE;
        if (footer < RunLayout.HEADER_SIZE) {
            return sealed;
        }
        bytes.putLong(footer + RunLayout.FILE_LENGTH, sealed.length);
        seal(bytes, RunLayout.HEADER_CRC_OFFSET, 0, RunLayout.HEADER_CRC_OFFSET);
        for (Part part : PARTS) {
            long offset = bytes.getLong(footer + part.offset);
            long length = part.length(bytes, footer);
            if (offset >= 0 && length >= 0 && length <= footer && offset <= footer - length) {
                seal(bytes, footer + part.crc, (int) offset, (int) length);
            }
        }
        seal(bytes, footer + RunLayout.FOOTER_CRC, footer, RunLayout.FOOTER_CRC);
        return sealed;
    }

    /**
     * A part of a run: where the footer has its offset, its length and its checksum.
     *
     * @param size bytes of an entry where the footer counts entries
     * @param isShort whether the footer has 4 bytes for the length
     */
    private record Part(int offset, int length, int size, boolean isShort, int crc) {
        long length(ByteBuffer bytes, int footer) {
            long count = isShort ? bytes.getInt(footer + length) : bytes.getLong(footer + length);
            return count > bytes.capacity() ? -1 : count * size;
        }
    }

    private static void seal(ByteBuffer bytes, int crcOffset, int offset, int length) {
        var crc = new CRC32C();
        crc.update(bytes.slice(offset, length));
        bytes.putInt(crcOffset, (int) crc.getValue());
    }

    /** Corrects the checksums of the header and of each edit. */
    private static byte[] sealedManifest(byte[] input) {
        byte[] sealed = input.clone();
        ByteBuffer bytes = ByteBuffer.wrap(sealed).order(ByteOrder.LITTLE_ENDIAN);
        if (sealed.length >= ManifestLayout.HEADER_SIZE) {
            seal(bytes, ManifestLayout.HEADER_CRC_OFFSET, 0, ManifestLayout.HEADER_CRC_OFFSET);
        }
        int at = ManifestLayout.HEADER_SIZE;
        while (at + ManifestLayout.EDIT_SIZE <= sealed.length) {
            int length = bytes.getInt(at + ManifestLayout.LENGTH_OFFSET);
            if (length < ManifestLayout.EDIT_SIZE || length > sealed.length - at) {
                break;
            }
            MemorySegment edit = MemorySegment.ofArray(sealed).asSlice(at, length);
            bytes.putInt(at + ManifestLayout.CRC_OFFSET, ManifestLayout.crc(edit));
            at += length;
        }
        return sealed;
    }

    /** Adds the right checksum. */
    private static void partitions(String text) throws IOException {
        var crc = new CRC32C();
        crc.update(text.getBytes(US_ASCII));
        String sealed = text + "crc %08x\n".formatted(crc.getValue());
        PartitionList list = PartitionList.open(with("partitions.1", sealed.getBytes(US_ASCII)), 2);
        list.check(0, DIRECTORY);
    }

    private static void manifest(byte[] bytes) throws IOException {
        ManifestSnapshot.read(with(DIRECTORY + "/manifest.1", bytes), DIRECTORY);
    }
}
