package org.crabro.content.search.visit;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.crabro.content.storage.block.ColumnValues;
import org.crabro.content.storage.block.column.Column;
import org.crabro.content.storage.block.column.ColumnCost;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;
import org.crabro.document.Field;
import org.crabro.document.FieldValue;
import org.crabro.document.memory.MemoryShare;
import org.crabro.document.memory.ValueMeter;
import org.crabro.protocol.visit.VisitReply;
import org.crabro.protocol.visit.VisitedDocument;
import org.jspecify.annotations.Nullable;

/** A page of documents as values, or of their ids. */
final class DocumentsPage implements PageContents {
    /** The approximate size in bytes of a document, in addition to its parts. */
    private static final int OVERHEAD = 64;

    private final boolean withFields;
    private final ColumnValues values = new ColumnValues();
    private final ValueMeter memory = ValueMeter.withoutWaiting(MemoryShare.current());
    private final List<VisitedDocument> documents = new ArrayList<>();
    private long size;

    DocumentsPage(boolean withFields) {
        this.withFields = withFields;
    }

    @Override
    public void add(VisitedRows rows, int row) {
        Optional<Document> document =
                withFields ? Optional.of(document(rows, row)) : Optional.empty();
        add(rows, row, false, document);
    }

    @Override
    public void remove(VisitedRows rows, int row) {
        add(rows, row, true, Optional.empty());
    }

    private void add(VisitedRows rows, int row, boolean isRemoved, Optional<Document> document) {
        DocumentId id = document.map(Document::id).orElseGet(() -> rows.block().id(row));
        size += OVERHEAD + rows.block().idLength(row);
        documents.add(new VisitedDocument(id, rows.block().timestamp(row), isRemoved, document));
    }

    private Document document(VisitedRows rows, int row) {
        Map<String, FieldValue> fields = new LinkedHashMap<>();
        List<Field> shown = rows.type().shown();
        @Nullable Column[] columns = rows.columns();
        for (int i = 0; i < columns.length; i++) {
            Column column = columns[i];
            if (column != null) {
                Field field = shown.get(i);
                if (column.presence().has(row)) {
                    memory.add(ColumnCost.of(column, row, row + 1));
                }
                values.value(column, row)
                        .ifPresent(value -> {
                            fields.put(field.name(), value);
                            size += OVERHEAD + size(value);
                        });
            }
        }
        return new Document(rows.block().id(row), fields);
    }

    private static long size(FieldValue value) {
        return switch (value) {
            case FieldValue.StringValue(var text) -> text.length();
            case FieldValue.Scalar _ -> Long.BYTES;
            case FieldValue.ArrayValue(var elements) -> size(elements);
            case FieldValue.WeightedSetValue(var weights) -> size(weights.keySet());
            case FieldValue.MapValue(var map) -> size(map.keySet()) + size(map.values());
            case FieldValue.StructValue(var fields) -> size(fields.values());
            case FieldValue.TensorValue(var tensor) -> (long) Double.BYTES * tensor.size();
            case FieldValue.MixedTensorValue(var tensor) ->
                    (long) tensor.addresses().size()
                            * (OVERHEAD + Double.BYTES * tensor.type().subspaceSize());
        };
    }

    private static long size(Iterable<FieldValue> values) {
        long size = 0;
        for (FieldValue value : values) {
            size += OVERHEAD + size(value);
        }
        return size;
    }

    @Override
    public int count() {
        return documents.size();
    }

    @Override
    public long size() {
        return size;
    }

    @Override
    public VisitReply.Contents finish() {
        return new VisitReply.Contents.Documents(documents);
    }
}
