package org.crabro.content.read;

import java.util.function.Predicate;
import org.crabro.content.block.EncodedBlock;
import org.crabro.content.block.key.KeyArea;
import org.crabro.content.file.BlockProjection;

/**
 * Which rows of a type a reader wants.
 *
 * @param documentType their type
 * @param area where their keys lie
 * @param parts what is touched of a block, as far as it is known before
 * @param mayHave asked of a block of a run when no more of it is in memory than its header; where
 *     it says no, the block is passed over
 */
public record CursorSelection(
        String documentType, KeyArea area, BlockProjection parts, Predicate<EncodedBlock> mayHave) {
    /** Returns all rows of a type in an area. */
    public static CursorSelection all(String documentType, KeyArea area) {
        return new CursorSelection(documentType, area, BlockProjection.NONE, _ -> true);
    }
}
