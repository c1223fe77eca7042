package org.crabro.client.imports;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Files that are read as a whole. */
final class TextFiles {
    private TextFiles() {}

    /**
     * Returns the bytes of a file, which may grow while it is read.
     *
     * @throws IOException if it has more than {@code max} bytes
     */
    static byte[] bytes(Path file, int max) throws IOException {
        if (Files.size(file) > max) {
            throw tooLarge(file, max);
        }
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(max + 1);
            if (bytes.length > max) {
                throw tooLarge(file, max);
            }
            return bytes;
        }
    }

    private static IOException tooLarge(Path file, int max) {
        return new IOException("%s has more than %,d bytes".formatted(file, max));
    }
}
