package org.crabro.content.storage.partition;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.crabro.content.storage.block.key.KeyRange;
import org.crabro.content.storage.block.key.RowKey;
import org.crabro.content.storage.journal.MemoryLogFiles;
import org.crabro.content.storage.read.BlockSlice;
import org.crabro.content.storage.read.View;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldValue;
import org.crabro.protocol.encoding.Row;
import org.crabro.protocol.encoding.RowEncoding;

/** A log of runs that all hold the same document, each a newer version. */
final class StressedRuns {
    static final DocumentId ID = DocumentId.parse("id:a:note:g=g:1");

    private static final DocumentType NOTE =
            new DocumentType("note", List.of(new Field("text", FieldType.Primitive.STRING, true)));
    private static final Row ROW =
            new Row(
                    ID,
                    0,
                    NOTE.fingerprint(),
                    false,
                    Map.of("text", new FieldValue.StringValue("text")));

    final RunLog log;

    StressedRuns() {
        try {
            log = RunLog.open(new MemoryLogFiles(), "partitions/00", _ -> Optional.of(NOTE));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Adds a run with the document's version of {@code timestamp}. */
    void add(long timestamp) {
        byte[] row = RowEncoding.encode(ROW, NOTE);
        RowEncoding.stamp(row, timestamp);
        try {
            log.add(
                    run -> {
                        run.begin(NOTE);
                        run.add(RowKey.of(ID), MemorySegment.ofArray(row));
                    },
                    timestamp,
                    timestamp,
                    timestamp);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns how many live rows a view shows. */
    static int liveRows(View view) {
        int count = 0;
        for (BlockSlice slice : view.slices("note", new KeyRange.Everything())) {
            count += slice.liveCount();
        }
        return count;
    }

    void close() {
        try {
            log.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
