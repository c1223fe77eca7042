package org.crabro.server.cluster;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;

/** The record of a cluster in a file of its only config server. */
final class RecordFile implements RecordStore {
    private final JsonValueFile file;
    private volatile ClusterRecord record;

    private RecordFile(JsonValueFile file, ClusterRecord record) {
        this.file = file;
        this.record = record;
    }

    /**
     * Opens a record, or begins a new cluster.
     *
     * @throws IOException if the file cannot be read or written
     */
    static RecordFile open(Path path) throws IOException {
        var file = new JsonValueFile(path);
        Optional<ClusterRecord> record = file.read(ClusterRecord.class);
        if (record.isPresent()) {
            return new RecordFile(file, record.get());
        }
        ClusterRecord made = ClusterRecord.of(UUID.randomUUID().toString());
        file.write(made);
        return new RecordFile(file, made);
    }

    @Override
    public ClusterRecord record() {
        return record;
    }

    @Override
    public void write(ClusterRecord next) throws IOException {
        file.write(next);
        record = next;
    }
}
