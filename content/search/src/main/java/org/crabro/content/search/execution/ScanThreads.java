package org.crabro.content.search.execution;

import java.util.concurrent.Executor;

/**
 * The threads that scan for searches.
 *
 * @param pool a pool of platform threads. About {@code cores} of them run at a time. If the pool
 *     replaces threads that wait for the disk, the processors stay busy. The caller closes it
 * @param cores how many processors the searches share, at least 1
 * @param ceiling the most threads that one search gets, at least 1
 */
public record ScanThreads(Executor pool, int cores, int ceiling) {
    /**
     * Returns how many threads one of {@code inFlight} searches may use.
     *
     * @param inFlight the searches that run, this one included, at least 1
     */
    public int share(int inFlight) {
        return Math.clamp(cores / inFlight, 1, ceiling);
    }
}
