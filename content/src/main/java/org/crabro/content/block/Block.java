package org.crabro.content.block;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.crabro.content.block.column.Column;
import org.crabro.content.block.token.TokenDictionary;
import org.crabro.content.block.token.TokenNumbers;
import org.crabro.content.layout.NumberBounds;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;

/**
 * Rows of one document type in key order, column by column: part of a run, or recent documents in
 * memory. Valid as long as the view that gave it is open.
 */
public interface Block {
    /** Returns how many rows there are, dead ones included. */
    int rowCount();

    /** Returns the type the rows were written with; the model's may have other fields by now. */
    DocumentType documentType();

    /**
     * Returns what tells this block from all others that there are and will be, equal for all of
     * its readers; nothing for a reader of some of its rows.
     */
    Optional<Object> identity();

    /** Returns the column of {@code field}, or nothing where no row was written with the field. */
    Optional<Column> column(String field);

    /**
     * Returns between which numbers the values of {@code field} lie; nothing where the rows were
     * not written with such a field, or it holds no single number. Only the start of the block is
     * looked at, not the column.
     */
    Optional<NumberBounds> bounds(String field);

    /**
     * Returns the different words of a searched text; nothing where no row has the field, or where
     * no tokens of it were kept. The texts and the words of rows are not looked at.
     */
    Optional<TokenDictionary> tokenDictionary(String field);

    /** Returns the words of each row of a text that has a {@link #tokenDictionary}. */
    Optional<TokenNumbers> tokenNumbers(String field);

    /**
     * Returns what vectors are multiplied by to become as long as 1, a little-endian float per row:
     * 0 for a row without a value, and for a vector of zeros. Nothing where no row has the field,
     * or where none are kept of its type. The vectors are not looked at.
     */
    Optional<MemorySegment> inverseLengths(String field);

    /** Returns the id of a row. It costs a decoding: for the few rows that leave the block. */
    DocumentId id(int row);

    /** Returns the timestamp of a row, microseconds since the epoch. */
    long timestamp(int row);

    /**
     * Compares the ids of two rows, this block's and another's, by their texts' UTF-8 bytes,
     * without making objects of them: the last key of every order.
     */
    int compareIds(int row, Block other, int otherRow);
}
