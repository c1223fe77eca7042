package org.crabro.content.storage.block;

import static org.crabro.content.storage.layout.BlockLayout.INT;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.crabro.content.storage.block.token.TokenColumn;
import org.crabro.content.storage.block.token.TokenColumnWriter;
import org.crabro.content.storage.layout.ChunkEncoding;
import org.crabro.content.storage.layout.EntryBounds;
import org.crabro.document.FieldType;
import org.crabro.text.TextAnalysis;

/** Collects the tokens of a searched text, row by row, and writes them as separate chunks. */
final class TokensWriter implements DerivedWriter {
    private final int field;
    private final boolean hasElements;
    private final boolean hasWeights;
    private final TokenColumnWriter tokens;
    private boolean isEmpty = true;

    /**
     * @param field its index in the type
     * @param type of the values: {@link BlockWriter#isText}
     */
    TokensWriter(int field, FieldType type, TextAnalysis analysis) {
        this.field = field;
        this.hasWeights = type instanceof FieldType.WeightedSetOf;
        this.hasElements = hasWeights || type instanceof FieldType.ArrayOf;
        this.tokens = new TokenColumnWriter(analysis, hasElements, hasWeights);
    }

    @Override
    public boolean isBeforeValues() {
        return false;
    }

    @Override
    public void add(int row, MemorySegment encoded, long offset) {
        begin(row);
        if (hasElements) {
            addElements(encoded, offset);
        } else {
            tokens.element(encoded, offset + Integer.BYTES, encoded.get(INT, offset));
        }
        tokens.endRow();
    }

    /**
     * Copies the tokens of the other block; if it has none of this analysis, tokenises the value.
     */
    @Override
    public void copy(
            int row, MemorySegment encoded, long offset, EncodedBlock source, int sourceRow) {
        Optional<TokenColumn> column = source.tokens(field, tokens.fingerprint());
        if (column.isPresent()) {
            begin(row);
            tokens.copyRow(column.get(), sourceRow);
        } else {
            add(row, encoded, offset);
        }
    }

    private void begin(int row) {
        isEmpty = false;
        fillTo(row);
    }

    private void fillTo(int rows) {
        while (tokens.rowCount() < rows) {
            tokens.endRow();
        }
    }

    private void addElements(MemorySegment encoded, long offset) {
        int elements = encoded.get(INT, offset);
        long at = offset + Integer.BYTES;
        for (int i = 0; i < elements; i++) {
            int length = encoded.get(INT, at);
            long text = at + Integer.BYTES;
            at = text + length;
            if (hasWeights) {
                tokens.element(encoded, text, length, encoded.get(INT, at));
                at += Integer.BYTES;
            } else {
                tokens.element(encoded, text, length);
            }
        }
    }

    @Override
    public void prepare(int rows, BlockChunks chunks) {
        if (!isEmpty) {
            fillTo(rows);
            tokens.finish();
            chunks.plan(tokens.dictionary().remaining());
            chunks.plan(tokens.numbers().remaining());
        }
    }

    @Override
    public void writeTo(BlockChunks chunks) {
        if (!isEmpty) {
            write(chunks, ChunkEncoding.TOKEN_DICTIONARY, tokens.dictionary());
            write(chunks, ChunkEncoding.TOKEN_NUMBERS, tokens.numbers());
        }
        isEmpty = true;
    }

    private void write(BlockChunks chunks, ChunkEncoding encoding, ByteBuffer bytes) {
        chunks.beginChunk(bytes.remaining()).put(bytes);
        chunks.endChunk(encoding, field, false, EntryBounds.NONE);
    }
}
