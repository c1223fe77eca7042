package org.crabro.content.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import org.crabro.content.journal.LogFiles;
import org.crabro.content.journal.MemoryLogFiles;
import org.crabro.document.DocumentType;
import org.crabro.perf.FuzzTarget;
import org.crabro.perf.FuzzedApplication;
import org.crabro.perf.FuzzedDocuments;
import org.crabro.protocol.encoding.Row;
import org.crabro.protocol.encoding.RowEncoding;

/** Runs and manifests of any bytes. */
public final class RunTargets {
    private static final String DIRECTORY = "partitions/00";
    private static final String RUN = DIRECTORY + "/1.run";
    private static final DocumentType TYPE = FuzzedApplication.type();
    private static final StoredTypes TYPES =
            fingerprint -> Optional.of(TYPE).filter(type -> type.fingerprint() == fingerprint);
    private static final List<Row> ROWS =
            List.of(FuzzedDocuments.row(TYPE, 1), FuzzedDocuments.row(TYPE, 2));

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
                                    SortKey.of(row.id()),
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
                        .withSeeds(List.of(bytes(files, DIRECTORY + "/manifest.1"))));
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
        Run run = Run.open(with(RUN, bytes), RUN, 1, TYPES, new DamageRegister());
        try {
            for (Row row : ROWS) {
                run.find(SortKey.of(row.id()), new QueryReads())
                        .ifPresent(found -> found.row(_ -> {}));
            }
        } finally {
            run.release();
        }
    }

    private static void manifest(byte[] bytes) throws IOException {
        ManifestSnapshot.read(with(DIRECTORY + "/manifest.1", bytes), DIRECTORY);
    }
}
