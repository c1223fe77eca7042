package org.crabro.server.cluster;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.Optional;
import tools.jackson.core.JacksonException;

/** A value in a file of JSON, which is replaced in one step. */
record DurableFile(Path path) {
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
        Path directory = Objects.requireNonNull(path.toAbsolutePath().getParent());
        Files.createDirectories(directory);
        Path next = directory.resolve(path.getFileName() + ".new");
        try (var out =
                FileChannel.open(
                        next,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE)) {
            ByteBuffer bytes = ByteBuffer.wrap(ClusterJson.write(value));
            while (bytes.hasRemaining()) {
                out.write(bytes);
            }
            out.force(true);
        }
        Files.move(next, path, StandardCopyOption.ATOMIC_MOVE);
        try (var opened = FileChannel.open(directory, StandardOpenOption.READ)) {
            opened.force(true);
        }
    }
}
