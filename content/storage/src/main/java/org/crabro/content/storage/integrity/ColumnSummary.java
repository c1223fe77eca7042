package org.crabro.content.storage.integrity;

/**
 * The size of a field over all blocks.
 *
 * @param type of the documents
 * @param field its name, empty for chunks without a field
 * @param encoding of its values; a field may have several
 * @param chunks their number, one per block
 * @param bytes their total size
 */
public record ColumnSummary(String type, String field, String encoding, long chunks, long bytes) {}
