package org.crabro.content.integrity;

/**
 * What a field takes, over all blocks.
 *
 * @param type what has the field
 * @param field its name, empty for what belongs to none
 * @param encoding how its values lie; a field may have several
 * @param chunks how many there are, one a block
 * @param bytes of them
 */
public record ColumnSummary(String type, String field, String encoding, long chunks, long bytes) {}
