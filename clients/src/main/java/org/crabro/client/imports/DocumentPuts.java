package org.crabro.client.imports;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The records of a source as documents. Not thread-safe. */
public final class DocumentPuts implements AutoCloseable {
    private final RecordReader records;
    private final GuessedSchema schema;
    private final String group;
    private final ImportLosses losses;
    private final Set<String> ignored = new HashSet<>();
    private long number;

    /**
     * A document.
     *
     * @param fields the values of its fields, as JSON has them
     */
    public record Put(String id, Map<String, Object> fields) {}

    /**
     * @param records closed with this
     * @param group of the documents
     * @param losses counts values that do not fit the schema
     */
    public DocumentPuts(
            RecordReader records, GuessedSchema schema, String group, ImportLosses losses) {
        this.records = records;
        this.schema = schema;
        this.group = group;
        this.losses = losses;
    }

    /** Leaves out the values of fields that the schema does not have, without counting them. */
    public void ignore(List<GuessedField> fields) {
        fields.forEach(field -> ignored.add(MemberPath.shown(field.source())));
    }

    /**
     * Returns the next document; empty at the end.
     *
     * @throws IOException if the source cannot be read; the message says where
     */
    public Optional<Put> next() throws IOException {
        Optional<Map<String, Object>> record = records.next();
        if (record.isEmpty()) {
            return Optional.empty();
        }
        String name = schema.names().of(record.get(), records, ++number);
        Map<String, Object> fields =
                schema.values(
                        record.get(),
                        (field, change) -> {
                            if (!ignored.contains(field)) {
                                losses.add(field, change, records.place());
                            }
                        });
        return Optional.of(new Put(schema.id(group, name), fields));
    }

    @Override
    public void close() throws IOException {
        records.close();
    }
}
