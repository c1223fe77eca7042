package org.crabro.client.imports;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/** The records of a source as lines of puts, made while they are read. Not thread-safe. */
public final class PutStream extends InputStream {
    private final RecordReader records;
    private final GuessedSchema schema;
    private final String group;
    private byte[] line = {};
    private int next;
    private long number;

    public PutStream(RecordReader records, GuessedSchema schema, String group) {
        this.records = records;
        this.schema = schema;
        this.group = group;
    }

    @Override
    public int read() throws IOException {
        return fill() ? line[next++] & 0xff : -1;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        if (!fill()) {
            return -1;
        }
        int count = Math.min(length, line.length - next);
        System.arraycopy(line, next, into, offset, count);
        next += count;
        return count;
    }

    private boolean fill() throws IOException {
        if (next < line.length) {
            return true;
        }
        Optional<Map<String, Object>> record = records.next();
        if (record.isEmpty()) {
            return false;
        }
        line = (schema.put(record.get(), group, ++number) + "\n").getBytes(StandardCharsets.UTF_8);
        next = 0;
        return true;
    }

    @Override
    public void close() throws IOException {
        records.close();
    }
}
