package org.crabro.client.imports;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.crabro.client.feed.LineStream;

/** The records of a source as lines of puts. Not thread-safe. */
public final class PutLines implements LineStream.Lines {
    private final RecordReader records;
    private final GuessedSchema schema;
    private final String group;
    private long number;

    public PutLines(RecordReader records, GuessedSchema schema, String group) {
        this.records = records;
        this.schema = schema;
        this.group = group;
    }

    @Override
    public Optional<byte[]> next() throws IOException {
        return records.next()
                .map(record ->
                        (schema.put(record, group, ++number) + "\n")
                                .getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void close() throws IOException {
        records.close();
    }
}
