package org.crabro.server.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.crabro.container.file.DurableFiles;
import tools.jackson.core.JacksonException;

/** A value in a file of JSON, which is replaced in one step. */
record JsonValueFile(Path path) {
    /**
     * Returns the value; empty if none was written.
     *
     * @throws IOException if the file cannot be read or is damaged
     */
    <T> Optional<T> read(Class<T> type) throws IOException {
        if (!Files.exists(path)) {
            return Optional.empty();
        }
        try {
            return Optional.of(ClusterJson.read(Files.readAllBytes(path), type));
        } catch (JacksonException e) {
            throw new IOException("%s is damaged: %s".formatted(path, e.getMessage()), e);
        }
    }

    /** Writes a value durably. */
    void write(Object value) throws IOException {
        DurableFiles.replace(path, ClusterJson.write(value));
    }
}
