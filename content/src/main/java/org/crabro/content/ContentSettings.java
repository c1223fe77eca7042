package org.crabro.content;

import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.crabro.content.group.GroupMemory;
import org.crabro.content.integrity.ScrubSettings;
import org.crabro.content.recent.RecentSettings;
import org.crabro.content.result.ScanLimits;
import org.crabro.protocol.cluster.Partitions;

/**
 * How a content node is set up, and the bounds of what it takes.
 *
 * @param directory of the data; one node at a time uses it
 * @param partitions how documents are spread; the same as ever for the same directory
 * @param owned the partitions that this node answers for
 * @param stateVersion the cluster state that says so
 * @param recent bounds of what waits and of what lies in memory
 * @param readThreads threads that read single documents from runs
 * @param waitingReads reads that wait for them; more wait until their deadline
 * @param scanThreads threads that scan
 * @param threadsPerQuery the most that one query gets
 * @param flushOnClose whether closing writes everything recent into runs, so that the next start
 *     has nothing to replay
 * @param scrub how what is stored is checked in the background
 * @param postingsBytes how much is kept of which rows have which words, of blocks that are searched
 *     often; 0 for nothing
 * @param vectorBytes how much memory outside the heap is kept of quantized vectors, of blocks whose
 *     vectors are compared often; 0 for nothing
 * @param valueBytes how much of the heap the values of documents take that are read one by one; one
 *     document that takes more has room by itself
 * @param groupBytes how much of the heap the groups of all queries take together
 * @param scans how many searches run and wait
 */
public record ContentSettings(
        Path directory,
        Partitions partitions,
        Set<Integer> owned,
        long stateVersion,
        RecentSettings recent,
        int readThreads,
        int waitingReads,
        int scanThreads,
        int threadsPerQuery,
        boolean flushOnClose,
        ScrubSettings scrub,
        long postingsBytes,
        long vectorBytes,
        long valueBytes,
        long groupBytes,
        ScanLimits scans) {
    private static final int READ_THREADS = 8;
    private static final int WAITING_READS = 4_096;
    private static final int THREADS_PER_QUERY = 8;
    private static final long POSTINGS_BYTES = 64L << 20;
    private static final int POSTINGS_HEAP_SHARE = 16;
    private static final int VECTORS_HEAP_SHARE = 8;
    private static final int VALUES_HEAP_SHARE = 4;

    public ContentSettings {
        owned = Set.copyOf(owned);
        if (readThreads < 1 || waitingReads < 1 || scanThreads < 1 || threadsPerQuery < 1) {
            throw new IllegalArgumentException(
                    "threads are %d, %d, %d, and %d reads wait; each must be at least 1"
                            .formatted(readThreads, scanThreads, threadsPerQuery, waitingReads));
        }
        if (postingsBytes < 0 || vectorBytes < 0 || valueBytes < 1 || groupBytes < 1) {
            throw new IllegalArgumentException(
                    "postingsBytes is %d, vectorBytes %d, valueBytes %d, groupBytes %d; at least 0, 0, 1 and 1 are needed"
                            .formatted(postingsBytes, vectorBytes, valueBytes, groupBytes));
        }
    }

    /** Returns what a node uses that is alone and was told nothing but where its data is. */
    public static ContentSettings in(Path directory) {
        return new ContentSettings(
                directory,
                Partitions.DEFAULT,
                every(Partitions.DEFAULT),
                1,
                RecentSettings.DEFAULT,
                READ_THREADS,
                WAITING_READS,
                Runtime.getRuntime().availableProcessors(),
                THREADS_PER_QUERY,
                true,
                ScrubSettings.DEFAULT,
                postingsBytesByDefault(),
                vectorBytesByDefault(),
                Runtime.getRuntime().maxMemory() / VALUES_HEAP_SHARE,
                GroupMemory.bytesByDefault(),
                ScanLimits.DEFAULT);
    }

    /** Returns these settings with other bounds for what is recent. */
    public ContentSettings withRecent(RecentSettings other) {
        return new ContentSettings(
                directory,
                partitions,
                owned,
                stateVersion,
                other,
                readThreads,
                waitingReads,
                scanThreads,
                threadsPerQuery,
                flushOnClose,
                scrub,
                postingsBytes,
                vectorBytes,
                valueBytes,
                groupBytes,
                scans);
    }

    /** Returns these settings with or without a flush at the end. */
    public ContentSettings withFlushOnClose(boolean flush) {
        return new ContentSettings(
                directory,
                partitions,
                owned,
                stateVersion,
                recent,
                readThreads,
                waitingReads,
                scanThreads,
                threadsPerQuery,
                flush,
                scrub,
                postingsBytes,
                vectorBytes,
                valueBytes,
                groupBytes,
                scans);
    }

    /** Returns these settings with another bound for values. */
    public ContentSettings withValueBytes(long bytes) {
        return new ContentSettings(
                directory,
                partitions,
                owned,
                stateVersion,
                recent,
                readThreads,
                waitingReads,
                scanThreads,
                threadsPerQuery,
                flushOnClose,
                scrub,
                postingsBytes,
                vectorBytes,
                bytes,
                groupBytes,
                scans);
    }

    /** Returns as much as is kept by default: 64 MiB, or a sixteenth of a smaller heap. */
    public static long postingsBytesByDefault() {
        return Math.min(POSTINGS_BYTES, Runtime.getRuntime().maxMemory() / POSTINGS_HEAP_SHARE);
    }

    /** Returns as much as is kept by default: as much as an eighth of the heap. */
    public static long vectorBytesByDefault() {
        return Runtime.getRuntime().maxMemory() / VECTORS_HEAP_SHARE;
    }

    private static Set<Integer> every(Partitions partitions) {
        return IntStream.range(0, partitions.count()).boxed().collect(Collectors.toSet());
    }
}
