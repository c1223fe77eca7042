package org.crabro.content.storage.index;

/**
 * What the builds of graphs share.
 *
 * @param memory the heap that they may take together
 * @param threads that a build may use in addition to its own
 */
public record BuildResources(BuildMemory memory, BuildThreads threads) {
    /** Returns resources of builds that use only their own threads. */
    public static BuildResources ofMemory(long bytes) {
        return new BuildResources(new BuildMemory(bytes), new BuildThreads(0));
    }
}
