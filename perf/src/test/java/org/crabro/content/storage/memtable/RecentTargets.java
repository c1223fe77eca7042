package org.crabro.content.storage.memtable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.CRC32C;
import org.crabro.content.storage.block.SearchedTexts;
import org.crabro.content.storage.commit.JournalRecord;
import org.crabro.content.storage.graph.GraphFields;
import org.crabro.content.storage.index.IndexedFields;
import org.crabro.content.storage.journal.LogFiles;
import org.crabro.content.storage.journal.LogRecord;
import org.crabro.content.storage.journal.MemoryLogFiles;
import org.crabro.content.storage.journal.SegmentedLog;
import org.crabro.content.storage.store.DocumentStore;
import org.crabro.content.storage.store.RecentSettings;
import org.crabro.content.storage.store.StoreOptions;
import org.crabro.content.storage.store.StoredFiles;
import org.crabro.content.storage.store.TypeFiles;
import org.crabro.document.DocumentType;
import org.crabro.perf.fuzz.FuzzTarget;
import org.crabro.perf.fuzz.FuzzedApplication;
import org.crabro.perf.fuzz.FuzzedDocuments;
import org.crabro.protocol.encoding.DocumentTypeEncoding;
import org.crabro.protocol.encoding.RowEncoding;

/** Stored document types, and records of a journal whose checksums are right. */
public final class RecentTargets {
    private static final DocumentType TYPE = FuzzedApplication.type();
    private static final int TYPE_OFFSET = 20;

    private RecentTargets() {}

    /** Returns the targets. */
    public static List<FuzzTarget> all() {
        var rows = new ArrayList<byte[]>();
        for (int i = 0; i < 2; i++) {
            LogRecord row =
                    JournalRecord.ofRow(i, RowEncoding.encode(FuzzedDocuments.row(TYPE, i), TYPE));
            ByteBuffer bytes = ByteBuffer.allocate(row.size());
            row.putTo(bytes);
            rows.add(bytes.array());
        }
        return List.of(
                FuzzTarget.ofBytes("stored-types", RecentTargets::type, IOException.class)
                        .withSeeds(List.of(DocumentTypeEncoding.encode(TYPE))),
                FuzzTarget.ofBytes("journal-records", RecentTargets::record, IOException.class)
                        .withSeeds(rows)
                        .slow());
    }

    /** The input is a type, in a file with the right head. */
    private static void type(byte[] type) throws IOException {
        var crc = new CRC32C();
        crc.update(type);
        ByteBuffer bytes =
                ByteBuffer.allocate(TYPE_OFFSET + type.length)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putLong(0x45505954_42415243L)
                        .putInt(1)
                        .putInt(type.length)
                        .putInt((int) crc.getValue())
                        .put(type)
                        .flip();
        var files = new MemoryLogFiles();
        String name = HexFormat.of().toHexDigits(TYPE.fingerprint());
        try (LogFiles.LogFile file = files.create(TypeFiles.DIRECTORY + "/" + name)) {
            file.write(bytes, 0);
        }
        TypeFiles.open(files, _ -> {}, _ -> {});
        TypeFiles.open(files);
    }

    /** Checks that a node with the record in its journal starts, or reports the error. */
    private static void record(byte[] record) throws IOException {
        if (record.length == 0) {
            return;
        }
        var files = new MemoryLogFiles();
        TypeFiles.open(files).keep(TYPE, SearchedTexts.NONE, IndexedFields.NONE, GraphFields.NONE);
        try (SegmentedLog log =
                SegmentedLog.open(
                        files,
                        DocumentStore.JOURNAL,
                        RecentSettings.DEFAULT.journal().segmentBytes(),
                        1,
                        (_, _) -> {})) {
            log.begin();
            log.commit(List.of(LogRecord.of(record)));
        }
        StoredFiles.open(files, _ -> {}, _ -> {});
        DocumentStore.open(
                        files, StoreOptions.of(2, RecentSettings.DEFAULT, InstantSource.system()))
                .close();
    }
}
