package org.crabro.client.spool;

/**
 * The settings of a spool.
 *
 * @param isSynced whether a record is forced to the disk before it is accepted, so that it also
 *     survives a power cut
 * @param maxBytes the size of all files; a record that needs more is refused with {@link
 *     SpoolFullException}
 */
public record SpoolSettings(boolean isSynced, long maxBytes) {
    /** Forces nothing, and has at most 1 GiB of files. */
    public static final SpoolSettings DEFAULT = new SpoolSettings(false, 1 << 30);

    public SpoolSettings {
        if (maxBytes < SpoolLayout.SEGMENT_BYTES) {
            throw new IllegalArgumentException(
                    "maxBytes is %,d, below the %,d of one file"
                            .formatted(maxBytes, SpoolLayout.SEGMENT_BYTES));
        }
    }

    /** Returns the same settings, with forcing or without. */
    public SpoolSettings synced(boolean isForced) {
        return new SpoolSettings(isForced, maxBytes);
    }
}
