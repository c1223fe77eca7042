package org.crabro.content.storage.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.crabro.content.storage.block.ValueBudget;
import org.crabro.content.storage.block.key.KeyRange;
import org.crabro.content.storage.file.ReadContext;
import org.crabro.content.storage.read.BlockSlice;
import org.crabro.content.storage.read.View;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldValue;
import org.crabro.document.LocationKey;
import org.crabro.protocol.cluster.Partitions;
import org.crabro.protocol.encoding.Row;
import org.crabro.protocol.encoding.RowEncoding;
import org.crabro.protocol.feed.Write;
import org.crabro.protocol.feed.WriteReply;
import org.crabro.protocol.wire.Deadline;

/** Documents with one text each, to write to stores and to read back. */
public final class Notes {
    public static final DocumentType TYPE =
            new DocumentType("note", List.of(new Field("text", FieldType.Primitive.STRING, true)));

    /** A later version of the type, with one more field. */
    public static final DocumentType LATER_TYPE =
            new DocumentType(
                    "note",
                    List.of(
                            new Field("text", FieldType.Primitive.STRING, true),
                            new Field("year", FieldType.Primitive.INT, true)));

    /** Four partitions, so that groups and plain ids share some. */
    public static final Partitions PARTITIONS = new Partitions(2);

    private Notes() {}

    public static DocumentId id(String group, int number) {
        return DocumentId.parse("id:test:note:g=" + group + ":" + number);
    }

    public static DocumentId plain(int number) {
        return DocumentId.parse("id:test:note::" + number);
    }

    public static Deadline soon() {
        return Deadline.after(Duration.ofSeconds(60));
    }

    public static WriteReply put(DocumentStore store, DocumentId id, String text) {
        return write(store, row(id, text));
    }

    /** Returns the write of a document with a text; without one, of its removal. */
    public static Write.Row write(DocumentId id, String text) {
        return write(id, text, TYPE);
    }

    /** Returns the write of a document of a version of the type. */
    public static Write.Row write(DocumentId id, String text, DocumentType type) {
        Map<String, FieldValue> fields =
                text.isEmpty() ? Map.of() : Map.of("text", new FieldValue.StringValue(text));
        var row = new Row(id, 0, type.fingerprint(), text.isEmpty(), fields);
        return new Write.Row(PARTITIONS.of(id.location()), id, RowEncoding.encode(row, type));
    }

    private static Row tombstone(DocumentId id) {
        return new Row(id, 0, TYPE.fingerprint(), true, Map.of());
    }

    private static Row row(DocumentId id, String text) {
        return new Row(
                id, 0, TYPE.fingerprint(), false, Map.of("text", new FieldValue.StringValue(text)));
    }

    static WriteReply remove(DocumentStore store, DocumentId id) {
        return write(store, tombstone(id));
    }

    /** Removes the group with this name, and returns the reply. */
    static WriteReply removeGroup(DocumentStore store, String group) {
        return store.removeGroup(
                PARTITIONS.of(DocumentId.locationOfGroup(group)),
                TYPE,
                new LocationKey.Group(group),
                Optional.empty(),
                soon());
    }

    private static WriteReply write(DocumentStore store, Row row) {
        int partition = PARTITIONS.of(row.id().location());
        return store.write(
                new Write.Row(partition, row.id(), RowEncoding.encode(row, TYPE)),
                Optional.empty(),
                soon());
    }

    /** Returns the text of a document; empty if it does not exist or was removed. */
    public static String text(DocumentStore store, DocumentId id) {
        return store.newest(
                        PARTITIONS.of(id.location()), id, new ReadContext(), ValueBudget.UNLIMITED)
                .filter(row -> !row.tombstone())
                .map(Notes::text)
                .orElse("");
    }

    private static String text(Row row) {
        return switch (row.fields().get("text")) {
            case FieldValue.StringValue(var text) -> text;
            case null, default -> throw new AssertionError("no text in " + row);
        };
    }

    /** Returns the texts in a view. */
    public static Collection<String> texts(View view) {
        var seen = new TreeMap<String, String>();
        addTo(seen, view, new KeyRange.Everything());
        return seen.values();
    }

    /** Returns the documents in the views of all partitions, and checks that each occurs once. */
    public static NavigableMap<String, String> seen(DocumentStore store, KeyRange range) {
        var seen = new TreeMap<String, String>();
        for (int partition = 0; partition < PARTITIONS.count(); partition++) {
            try (View view = store.view(partition)) {
                addTo(seen, view, range);
            }
        }
        return seen;
    }

    public static NavigableMap<String, String> seen(View view, KeyRange range) {
        var seen = new TreeMap<String, String>();
        addTo(seen, view, range);
        return seen;
    }

    private static void addTo(Map<String, String> seen, View view, KeyRange range) {
        for (BlockSlice slice : view.slices("note", range)) {
            for (int row = slice.from(); row < slice.to(); row++) {
                if (!slice.dead().has(row)) {
                    Row stored = slice.block().row(row);
                    String before = seen.put(stored.id().toString(), text(stored));
                    assertThat(before).as("%s is seen twice", stored.id()).isNull();
                }
            }
        }
    }
}
