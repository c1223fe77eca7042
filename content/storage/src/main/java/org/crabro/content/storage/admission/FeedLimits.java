package org.crabro.content.storage.admission;

/**
 * The limits above which writes are refused. Only {@code reservedBytes} applies to removes. Reads
 * are never refused.
 *
 * @param rowBytes the largest document of a type without its own limit; larger documents are
 *     rejected, and so are documents above a sixteenth of the heap
 * @param groupBytes the approximate size of a group above which puts into it are answered with
 *     {@code OutOfSpace}; 0 for no limit
 * @param diskShare the used share of the disk, 0 to 1, above which puts are answered with {@code
 *     OutOfSpace}, until it is one percent less
 * @param diskFreeBytes a disk with at least this much free space is never considered full
 * @param memoryShare the share of the machine's memory above which puts are answered with {@code
 *     OutOfSpace}, until it is one percent less. It counts the memory of the process without mapped
 *     files
 * @param reservedBytes of the disk that are reserved for a flush and a range of compaction; with
 *     less left, puts are answered with {@code OutOfSpace}, and with half of it left, removes too
 */
public record FeedLimits(
        int rowBytes,
        long groupBytes,
        double diskShare,
        long diskFreeBytes,
        double memoryShare,
        long reservedBytes) {
    /**
     * The default limits of a node. A partition may hold twice the budget of recent documents when
     * it is flushed; a range of compaction is 256 MiB.
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

    /** Returns these limits with another limit for a document. */
    public FeedLimits withRowBytes(int bytes) {
        return new FeedLimits(
                bytes, groupBytes, diskShare, diskFreeBytes, memoryShare, reservedBytes);
    }

    /** Returns these limits with another limit for a group. */
    public FeedLimits withGroupBytes(long bytes) {
        return new FeedLimits(
                rowBytes, bytes, diskShare, diskFreeBytes, memoryShare, reservedBytes);
    }

    /** Returns these limits with another reserve of the disk. */
    public FeedLimits withReservedBytes(long bytes) {
        return new FeedLimits(rowBytes, groupBytes, diskShare, diskFreeBytes, memoryShare, bytes);
    }

    /** Returns these limits with other limits for the disk. */
    public FeedLimits withDisk(double share, long freeBytes) {
        return new FeedLimits(rowBytes, groupBytes, share, freeBytes, memoryShare, reservedBytes);
    }

    /** Returns these limits with another limit for memory. */
    public FeedLimits withMemory(double share) {
        return new FeedLimits(rowBytes, groupBytes, diskShare, diskFreeBytes, share, reservedBytes);
    }
}
