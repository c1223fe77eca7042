package org.crabro.server.cluster;

/**
 * The versions of all formats that a server reads and writes: of messages, of entries of logs, and
 * of files. One number covers them all; it rises with each change of a format.
 *
 * @param oldest the first one, at least 1
 * @param newest the last one
 */
public record FormatVersions(int oldest, int newest) {
    /** From this version on, entries of the logs of shards are compressed. */
    static final int COMPRESSED_ENTRIES = 2;

    /** From this version on, all writes have the same request. */
    static final int ONE_WRITE_REQUEST = 3;

    /** The versions of this server. */
    public static final FormatVersions OWN = new FormatVersions(1, ONE_WRITE_REQUEST);

    public FormatVersions {
        if (oldest < 1 || newest < oldest) {
            throw new IllegalArgumentException("%d to %d".formatted(oldest, newest));
        }
    }

    /** Returns whether the server reads and writes a version. */
    boolean has(int version) {
        return oldest <= version && version <= newest;
    }

    @Override
    public String toString() {
        return oldest == newest
                ? "version " + oldest
                : "versions %d to %d".formatted(oldest, newest);
    }
}
