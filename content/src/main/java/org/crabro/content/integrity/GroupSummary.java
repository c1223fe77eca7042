package org.crabro.content.integrity;

/**
 * What a group takes, over all types.
 *
 * @param partition where it lies
 * @param group as ids have it, such as {@code g=alice} or {@code n=7}
 * @param documents rows that are not dead
 * @param rows all of them
 * @param bytes of blocks, shared among rows alike where a block has several groups
 */
public record GroupSummary(int partition, String group, long documents, long rows, long bytes) {}
