package org.crabro.server;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.crabro.container.file.DurableFiles;

/**
 * The file with the {@link StorePlaces} of a data directory. It is replaced in one step.
 *
 * <p>The first line names the format. Each further line has the number of a store, a content
 * cluster and a document type, separated by tabs. Without the file, all documents are in the first
 * store.
 */
record StorePlacesFile(Path path) {
    /** The name of the file, in a data directory and in a backup. */
    static final String NAME = "stores";

    private static final String HEAD = "crabro stores, format 1";

    /**
     * Returns the assignments; none if the file does not exist.
     *
     * @throws IOException if it cannot be read, or is damaged
     */
    StorePlaces read() throws IOException {
        List<String> lines;
        try {
            lines = Files.readAllLines(path);
        } catch (NoSuchFileException _) {
            return StorePlaces.NONE;
        }
        if (lines.isEmpty() || !lines.getFirst().equals(HEAD)) {
            throw new IOException(
                    "%s: expected the line '%s' first, but found '%s'"
                            .formatted(path, HEAD, lines.isEmpty() ? "" : lines.getFirst()));
        }
        try {
            return StorePlaces.of(lines.subList(1, lines.size()));
        } catch (IllegalArgumentException e) {
            throw new IOException(path + ": " + e.getMessage(), e);
        }
    }

    /** Replaces the contents; durable when this returns. */
    void write(StorePlaces places) throws IOException {
        var text = new StringBuilder(HEAD).append('\n');
        places.lines().forEach(line -> text.append(line).append('\n'));
        DurableFiles.replace(path, text.toString().getBytes(StandardCharsets.UTF_8));
    }
}
