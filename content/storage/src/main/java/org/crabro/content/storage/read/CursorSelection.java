package org.crabro.content.storage.read;

import java.util.function.Predicate;
import org.crabro.content.storage.block.EncodedBlock;
import org.crabro.content.storage.block.key.KeyArea;
import org.crabro.content.storage.file.BlockProjection;

/**
 * The rows that a cursor returns.
 *
 * @param documentType the document type of the rows
 * @param area the keys of the rows
 * @param parts the parts of a block that are read, as far as they are known in advance
 * @param mayHave returns false for a block of a run that can be skipped. Only the header of the
 *     block is in memory when it is called
 */
public record CursorSelection(
        String documentType, KeyArea area, BlockProjection parts, Predicate<EncodedBlock> mayHave) {
    /** Returns all rows of a type in an area. */
    public static CursorSelection all(String documentType, KeyArea area) {
        return new CursorSelection(documentType, area, BlockProjection.NONE, _ -> true);
    }
}
