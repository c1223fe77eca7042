package org.crabro.content.storage.integrity;

/**
 * The size of a group, over all types.
 *
 * @param partition of the group
 * @param group as in ids, such as {@code g=alice} or {@code n=7}
 * @param documents rows that are not dead
 * @param rows all rows
 * @param bytes of blocks; a block with several groups counts in proportion to the rows of each
 */
public record GroupSummary(int partition, String group, long documents, long rows, long bytes) {}
