package org.crabro.content.storage.read;

import org.crabro.content.storage.block.EncodedBlock;

/**
 * The row of a document that exists.
 *
 * @param row its number in the block
 */
public record LiveRow(EncodedBlock block, int row) {}
