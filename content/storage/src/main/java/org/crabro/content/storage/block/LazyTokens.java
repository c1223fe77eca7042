package org.crabro.content.storage.block;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.crabro.content.storage.block.column.Column;
import org.crabro.content.storage.block.column.TextReader;
import org.crabro.content.storage.block.token.TokenColumn;
import org.crabro.content.storage.block.token.TokenColumnWriter;
import org.crabro.content.storage.block.token.TokenDictionary;
import org.crabro.content.storage.block.token.TokenNumbers;
import org.crabro.content.storage.layout.BlockLayout;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.text.TextAnalysis;
import org.jspecify.annotations.Nullable;

/**
 * The tokens of a block in memory that was written without token columns. The tokens of a field are
 * computed when a query first needs them, and then kept. Safe for use by many threads.
 */
final class LazyTokens {
    private final SearchedTexts texts;
    private final SegmentAllocator memory;
    private final LongConsumer account;
    // By field; guarded by this.
    private final @Nullable TokenColumn[] columns;

    /**
     * @param memory thread-safe, lives as long as the block
     * @param account receives the number of allocated bytes
     */
    LazyTokens(int fields, SearchedTexts texts, SegmentAllocator memory, LongConsumer account) {
        this.texts = texts;
        this.memory = memory;
        this.account = account;
        this.columns = new TokenColumn[fields];
    }

    /** Returns the words of a field of {@code block}; empty if it is not searched by words. */
    Optional<TokenColumn> column(EncodedBlock block, int index) {
        Field field = block.documentType().fields().get(index);
        Optional<TextAnalysis> analysis = texts.analysis(field.name());
        // In an older version of the type, the field may have had another type.
        if (analysis.isEmpty() || !BlockWriter.isText(field.type())) {
            return Optional.empty();
        }
        synchronized (this) {
            TokenColumn cached = columns[index];
            if (cached == null) {
                Column column = block.column(index);
                if (column == null) {
                    return Optional.empty();
                }
                boolean hasWeights = field.type() instanceof FieldType.WeightedSetOf;
                boolean hasElements = hasWeights || field.type() instanceof FieldType.ArrayOf;
                var writer = new TokenColumnWriter(analysis.get(), hasElements, hasWeights);
                tokenize(column, block.rowCount(), writer);
                cached =
                        new TokenColumn(
                                new TokenDictionary(copy(writer.dictionary())),
                                new TokenNumbers(copy(writer.numbers()), block.rowCount()));
                columns[index] = cached;
            }
            return Optional.of(cached);
        }
    }

    private static void tokenize(Column column, int rows, TokenColumnWriter writer) {
        var reader = new TextReader();
        for (int row = 0; row < rows; row++) {
            if (column.presence().has(row)) {
                add(column, row, reader, writer);
            }
            writer.endRow();
        }
        writer.finish();
    }

    private static void add(Column column, int row, TextReader reader, TokenColumnWriter writer) {
        switch (column) {
            case Column.Texts text -> add(text, row, row + 1, reader, writer);
            case Column.Arrays arrays when arrays.elements() instanceof Column.Texts elements ->
                    add(elements, arrays.first(row), arrays.first(row + 1), reader, writer);
            case Column.WeightedSets sets when sets.elements() instanceof Column.Texts elements -> {
                for (int i = sets.first(row); i < sets.first(row + 1); i++) {
                    reader.read(elements, i);
                    int weight = sets.weights().values().get(BlockLayout.INT, (long) i << 2);
                    writer.element(reader.bytes(), reader.offset(), reader.length(), weight);
                }
            }
            case Column.FixedWidth _, Column.Nested _ ->
                    throw new IllegalStateException("a text that is stored as " + column);
        }
    }

    private static void add(
            Column.Texts texts, int from, int to, TextReader reader, TokenColumnWriter writer) {
        for (int i = from; i < to; i++) {
            reader.read(texts, i);
            writer.element(reader.bytes(), reader.offset(), reader.length());
        }
    }

    private MemorySegment copy(ByteBuffer bytes) {
        MemorySegment copy = memory.allocate(bytes.remaining(), BlockLayout.ALIGNMENT);
        copy.copyFrom(MemorySegment.ofBuffer(bytes));
        account.accept(copy.byteSize());
        return copy;
    }
}
