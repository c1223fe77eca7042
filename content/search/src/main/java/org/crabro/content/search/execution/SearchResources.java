package org.crabro.content.search.execution;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.crabro.content.search.group.GroupMemory;
import org.crabro.content.search.match.ScanMemory;
import org.crabro.content.search.match.cache.BlockCaches;
import org.crabro.content.search.rank.RankProgramCache;
import org.crabro.content.storage.read.ReadAhead;

/**
 * Threads, memory, caches and time that all searches of a node share.
 *
 * @param pool runs the threads that help a search
 * @param ahead reads blocks into memory before a thread scans them
 * @param countsMax the most word counts that a thread holds at a time, of 4 bytes each
 * @param groupMemory the memory for the groups of all searches
 */
record SearchResources(
        Executor pool,
        ReadAhead ahead,
        int countsMax,
        GroupMemory groupMemory,
        Caches caches,
        Clock clock) {
    /**
     * Results of earlier searches that later searches use again.
     *
     * @param blocks postings and quantized vectors of blocks
     * @param programs compiled rank expressions
     * @param memories working memory of scans
     */
    record Caches(BlockCaches blocks, RankProgramCache programs, ScanMemory.Pool memories) {}

    /**
     * The time and the flag that end searches.
     *
     * @param nanoTime the clock of deadlines, in nanoseconds
     * @param stopping true once the node stops, which ends all searches
     */
    record Clock(LongSupplier nanoTime, AtomicBoolean stopping) {}
}
