package org.crabro.content.search.match;

import org.crabro.content.storage.block.EncodedBlock;

/**
 * Counts what one or more scans read, by place. It is changed for whole columns of blocks only. For
 * one thread.
 */
public final class ScanReads {
    private long bytes;
    private long recentBytes;
    private long cachedBlocks;
    private long cachedBytes;

    /** Adds bytes of columns of a block. */
    void add(EncodedBlock block, long size) {
        bytes += size;
        if (!block.isOfFile()) {
            recentBytes += size;
        }
    }

    /** Adds cached data of a block. */
    void addCached(long size) {
        cachedBlocks++;
        cachedBytes += size;
    }

    /** Adds other counts. */
    public void add(ScanReads other) {
        bytes += other.bytes;
        recentBytes += other.recentBytes;
        cachedBlocks += other.cachedBlocks;
        cachedBytes += other.cachedBytes;
    }

    void clear() {
        bytes = 0;
        recentBytes = 0;
        cachedBlocks = 0;
        cachedBytes = 0;
    }

    /** Returns the bytes of all columns that were read. */
    public long bytes() {
        return bytes;
    }

    /** Returns the bytes of columns of blocks that are in no file. */
    public long recentBytes() {
        return recentBytes;
    }

    /** Returns how often cached data of a field of a block was used. */
    public long cachedBlocks() {
        return cachedBlocks;
    }

    /** Returns the bytes of the cached data that was used. */
    public long cachedBytes() {
        return cachedBytes;
    }
}
