package org.crabro.content.node;

import java.nio.file.Path;
import org.crabro.content.search.execution.ScanLimits;
import org.crabro.content.storage.index.IndexSettings;
import org.crabro.content.storage.store.RecentSettings;

/**
 * The setup of a content node, and the limits of its queues, caches and memory.
 *
 * @param place the data directory, and the partitions of the node
 * @param recent limits of writes and of recent documents
 * @param threads threads for reads and scans
 * @param upkeep the background work on stored data
 * @param memory caches, and memory of reads
 * @param scans the number of running and waiting searches
 */
public record ContentSettings(
        NodePlace place,
        RecentSettings recent,
        ThreadSettings threads,
        UpkeepSettings upkeep,
        MemorySettings memory,
        ScanLimits scans) {
    /** Returns the defaults of a single node. */
    public static ContentSettings in(Path directory) {
        return new ContentSettings(
                NodePlace.in(directory),
                RecentSettings.DEFAULT,
                ThreadSettings.ofThisMachine(),
                UpkeepSettings.DEFAULT,
                MemorySettings.ofThisHeap(),
                ScanLimits.DEFAULT);
    }

    /** Returns these settings with another place. */
    public ContentSettings withPlace(NodePlace other) {
        return new ContentSettings(other, recent, threads, upkeep, memory, scans);
    }

    /** Returns these settings with other limits of recent documents. */
    public ContentSettings withRecent(RecentSettings other) {
        return new ContentSettings(place, other, threads, upkeep, memory, scans);
    }

    /** Returns these settings with other threads. */
    public ContentSettings withThreads(ThreadSettings other) {
        return new ContentSettings(place, recent, other, upkeep, memory, scans);
    }

    /** Returns these settings with other memory. */
    public ContentSettings withMemory(MemorySettings other) {
        return new ContentSettings(place, recent, threads, upkeep, other, scans);
    }

    /** Returns these settings with or without a flush when the node closes. */
    public ContentSettings withFlushOnClose(boolean flush) {
        return new ContentSettings(
                place, recent, threads, upkeep.withFlushOnClose(flush), memory, scans);
    }

    /** Returns these settings with other indexes. */
    public ContentSettings withIndex(IndexSettings index) {
        return new ContentSettings(place, recent, threads, upkeep.withIndex(index), memory, scans);
    }

    /** Returns these settings with another limit for the values of documents that are read. */
    public ContentSettings withValueBytes(long bytes) {
        var other =
                new MemorySettings(
                        memory.postingsBytes(),
                        memory.vectorBytes(),
                        bytes,
                        memory.groupBytes(),
                        memory.parentRows());
        return withMemory(other);
    }
}
