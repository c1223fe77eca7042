package org.crabro.content.storage.block;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.crabro.content.storage.block.column.Column;
import org.crabro.content.storage.block.token.TokenDictionary;
import org.crabro.content.storage.block.token.TokenNumbers;
import org.crabro.content.storage.layout.NumberBounds;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;

/**
 * Rows of one document type in key order, stored column by column: part of a run, or recent
 * documents in memory. Valid while the view that returned it is open.
 */
public interface Block {
    /** Returns the number of rows, including dead ones. */
    int rowCount();

    /**
     * Returns the type that the rows were written with; the current model may have other fields.
     */
    DocumentType documentType();

    /**
     * Returns an object that identifies this block among all blocks, also later ones; equal for all
     * of its readers. Empty for a reader of some of its rows.
     */
    Optional<Object> identity();

    /** Returns the column of {@code field}; empty if no row was written with the field. */
    Optional<Column> column(String field);

    /**
     * Returns the minimum and maximum of the values of {@code field}; empty if the rows were not
     * written with such a field, or it does not hold a single number. Reads only the start of the
     * block, not the column.
     */
    Optional<NumberBounds> bounds(String field);

    /**
     * Returns the distinct words of a searched text; empty if no row has the field, or its tokens
     * are not stored. Reads neither the texts nor the words of rows.
     */
    Optional<TokenDictionary> tokenDictionary(String field);

    /** Returns the words of each row of a text that has a {@link #tokenDictionary}. */
    Optional<TokenNumbers> tokenNumbers(String field);

    /**
     * Returns the factors that scale vectors to length 1, a little-endian float per row: 0 for a
     * row without a value, and for a vector of zeros. Empty if no row has the field, or the type's
     * factors are not stored. Does not read the vectors.
     */
    Optional<MemorySegment> inverseLengths(String field);

    /** Returns the id of a row. Decodes it: only for the few rows that are returned to the user. */
    DocumentId id(int row);

    /** Returns the timestamp of a row, microseconds since the epoch. */
    long timestamp(int row);

    /**
     * Compares the ids of two rows, of this block and another, by the UTF-8 bytes of their texts,
     * without allocating objects. This is the last key of every order.
     */
    int compareIds(int row, Block other, int otherRow);
}
