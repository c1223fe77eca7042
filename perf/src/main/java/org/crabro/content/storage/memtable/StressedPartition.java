package org.crabro.content.storage.memtable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.crabro.content.storage.block.ValueBudget;
import org.crabro.content.storage.block.key.KeyRange;
import org.crabro.content.storage.file.ReadContext;
import org.crabro.content.storage.journal.MemoryLogFiles;
import org.crabro.content.storage.partition.RunLog;
import org.crabro.content.storage.read.BlockSlice;
import org.crabro.content.storage.read.View;
import org.crabro.content.storage.run.StoredTypes;
import org.crabro.content.storage.store.Partition;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldValue;
import org.crabro.protocol.encoding.Row;
import org.crabro.protocol.encoding.RowEncoding;

/** A partition with versions of one document. */
final class StressedPartition {
    static final DocumentType NOTE =
            new DocumentType("note", List.of(new Field("text", FieldType.Primitive.STRING, true)));
    static final StoredTypes TYPES = _ -> Optional.of(NOTE);
    static final KeyRange RANGE = new KeyRange.Group("g");

    private static final DocumentId ID = DocumentId.parse("id:a:note:g=g:1");
    private static final Row ROW =
            new Row(
                    ID,
                    0,
                    NOTE.fingerprint(),
                    false,
                    Map.of("text", new FieldValue.StringValue("text")));

    private final Partition partition;

    StressedPartition() {
        try {
            RunLog runs = RunLog.open(new MemoryLogFiles(), "partitions/00", TYPES);
            partition =
                    new Partition(
                            0, runs, TYPES, InstantSource.system(), new RecentBudget(1 << 30));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the document's version of {@code timestamp}. */
    static byte[] row(long timestamp) {
        byte[] row = RowEncoding.encode(ROW, NOTE);
        RowEncoding.stamp(row, timestamp);
        return row;
    }

    void apply(long timestamp) {
        partition.apply(timestamp, List.of(row(timestamp)));
    }

    void flush() {
        try {
            partition.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns how many live rows a view shows. */
    int liveRows() {
        try (View view = partition.view()) {
            return view.slices(NOTE.name(), RANGE).stream().mapToInt(BlockSlice::liveCount).sum();
        }
    }

    /** Returns the version that is read. */
    int version() {
        return partition
                .newest(ID, new ReadContext(), ValueBudget.UNLIMITED)
                .map(Row::timestamp)
                .orElse(0L)
                .intValue();
    }

    int openViews() {
        return partition.openViews();
    }

    void close() {
        try {
            partition.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
