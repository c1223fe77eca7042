package org.crabro.content.recent;

/**
 * When writes are refused. Removes are refused by the last of these alone, reads by none.
 *
 * @param rowBytes the largest document of a type of which no other limit is told; a larger one is
 *     rejected, as is one above a sixteenth of the heap
 * @param groupBytes what a group takes, about, before nothing more is put into it: {@code
 *     OutOfSpace}; 0 for no limit
 * @param diskShare how full the disk may be, 0 to 1: above it puts are answered with {@code
 *     OutOfSpace}, until it is one percent less full
 * @param diskFreeBytes with as much free a disk is not called full, however large it is
 * @param memoryShare how much of the machine's memory the process may take for itself, mapped files
 *     not counted: above it puts are answered with {@code OutOfSpace}, until it is one percent less
 * @param reservedBytes of the disk that are kept for a flush and a range of compaction; with less
 *     left, puts are answered with {@code OutOfSpace}, and with half of it left, removes too
 */
public record FeedLimits(
        int rowBytes,
        long groupBytes,
        double diskShare,
        long diskFreeBytes,
        double memoryShare,
        long reservedBytes) {
    /**
     * What a node uses unless told otherwise. A partition may hold twice the budget of recent
     * documents when it is flushed; a range of compaction is 256 MiB.
     */
    public static final FeedLimits DEFAULT =
            new FeedLimits(128 << 20, 0, 0.8, 32L << 30, 0.8, (2 * 256L + 256) << 20);

    public FeedLimits {
        if (rowBytes <= 0 || groupBytes < 0 || diskFreeBytes < 0 || reservedBytes < 0) {
            throw new IllegalArgumentException(
                    "rowBytes is %d, groupBytes %d, diskFreeBytes %d, reservedBytes %d"
                            .formatted(rowBytes, groupBytes, diskFreeBytes, reservedBytes));
        }
        if (!(diskShare > 0 && diskShare <= 1 && memoryShare > 0 && memoryShare <= 1)) {
            throw new IllegalArgumentException(
                    "shares are %s and %s, must be above 0 and at most 1"
                            .formatted(diskShare, memoryShare));
        }
    }

    /** Returns these limits with another one for a document. */
    public FeedLimits withRowBytes(int bytes) {
        return new FeedLimits(
                bytes, groupBytes, diskShare, diskFreeBytes, memoryShare, reservedBytes);
    }

    /** Returns these limits with another one for a group. */
    public FeedLimits withGroupBytes(long bytes) {
        return new FeedLimits(
                rowBytes, bytes, diskShare, diskFreeBytes, memoryShare, reservedBytes);
    }

    /** Returns these limits with other bytes kept free on the disk. */
    public FeedLimits withReservedBytes(long bytes) {
        return new FeedLimits(rowBytes, groupBytes, diskShare, diskFreeBytes, memoryShare, bytes);
    }

    /** Returns these limits with other ones for the disk. */
    public FeedLimits withDisk(double share, long freeBytes) {
        return new FeedLimits(rowBytes, groupBytes, share, freeBytes, memoryShare, reservedBytes);
    }

    /** Returns these limits with another one for memory. */
    public FeedLimits withMemory(double share) {
        return new FeedLimits(rowBytes, groupBytes, diskShare, diskFreeBytes, share, reservedBytes);
    }
}
