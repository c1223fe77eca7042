package org.crabro.content.replica;

/**
 * A file of a replica.
 *
 * @param path in the data directory
 * @param bytes its size
 * @param crc the crc-32c of its bytes
 */
public record ReplicaFile(String path, long bytes, int crc) {
    /** Returns the directory of the file. */
    String directory() {
        return path.substring(0, Math.max(0, path.lastIndexOf('/')));
    }
}
