package org.crabro.content.storage.replica;

import java.util.regex.Pattern;

/**
 * A file of a replica.
 *
 * @param path in the data directory: letters, digits, dots, underscores and slashes. It comes from
 *     another node, and leads to no other place
 * @param bytes its size
 * @param crc the crc-32c of its bytes
 */
public record ReplicaFile(String path, long bytes, int crc) {
    private static final Pattern PATH = Pattern.compile("(?:\\w+/)+\\w+(?:\\.\\w+)*");

    public ReplicaFile {
        if (!PATH.matcher(path).matches() || bytes < 0) {
            throw new IllegalArgumentException(
                    "'%s' with %d bytes is no file of a replica".formatted(path, bytes));
        }
    }

    /** Returns the directory of the file. */
    String directory() {
        return path.substring(0, Math.max(0, path.lastIndexOf('/')));
    }
}
