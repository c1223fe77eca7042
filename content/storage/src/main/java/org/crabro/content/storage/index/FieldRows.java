package org.crabro.content.storage.index;

import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.IntUnaryOperator;
import org.apache.lucene.document.DoublePoint;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.FloatPoint;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexableField;
import org.apache.lucene.util.BytesRef;
import org.crabro.content.storage.block.EncodedBlock;
import org.crabro.content.storage.block.column.Column;
import org.crabro.content.storage.block.column.TextReader;
import org.crabro.content.storage.block.token.TokenDictionary;
import org.crabro.content.storage.block.token.TokenNumbers;
import org.crabro.content.storage.layout.BlockLayout;
import org.crabro.text.FoldedText;
import org.crabro.text.TextAnalysis;
import org.jspecify.annotations.Nullable;

/** Reads what is indexed of one field, block by block and row by row. For one thread. */
abstract sealed class FieldRows
        permits FieldRows.Words, FieldRows.Values, FieldRows.Numbers, PredicateRows {
    private static final FieldType TERMS = new FieldType();

    /** Terms with their frequencies and positions, and the lengths of rows as norms. */
    private static final FieldType WORDS = new FieldType();

    static {
        WORDS.setIndexOptions(IndexOptions.DOCS_AND_FREQS_AND_POSITIONS);
        WORDS.setTokenized(true);
        WORDS.freeze();
        TERMS.setIndexOptions(IndexOptions.DOCS);
        TERMS.setOmitNorms(true);
        TERMS.setTokenized(true);
        TERMS.freeze();
    }

    /** Opens the next block. */
    abstract void open(EncodedBlock block);

    /** Adds what is indexed of a row of the open block. */
    abstract void add(int row, List<IndexableField> into);

    /**
     * Returns a term, cut to the length that an index accepts. Searches for such long terms do not
     * use the index.
     */
    static BytesRef term(byte[] bytes, int length) {
        return new BytesRef(Arrays.copyOf(bytes, Math.min(length, SectionIndex.TERM_BYTES_MAX)));
    }

    /** The words of a text, or of the elements of an array or a weighted set. */
    static final class Words extends FieldRows {
        /** The distance between words of different elements, which are no phrase. */
        private static final int ELEMENT_DISTANCE = 2;

        private final String name;
        private final TermsStream terms = new TermsStream();
        private final Field field;
        private BytesRef[] tokens = {};
        private @Nullable TokenNumbers numbers;

        Words(String name) {
            this.name = name;
            this.field = new Field(SectionIndex.WORDS + name, terms, WORDS);
        }

        @Override
        void open(EncodedBlock block) {
            TokenDictionary dictionary = block.tokenDictionary(name).orElse(null);
            if (dictionary == null) {
                // No row of the block has the field.
                numbers = null;
                return;
            }
            numbers = block.tokenNumbers(name).orElseThrow();
            tokens = new BytesRef[dictionary.size()];
            TokenDictionary.Cursor cursor = dictionary.cursor();
            while (cursor.next()) {
                tokens[cursor.number()] = term(cursor.buffer(), cursor.length());
            }
        }

        @Override
        void add(int row, List<IndexableField> into) {
            if (numbers == null) {
                return;
            }
            terms.clear();
            int last = numbers.elementTo(row);
            for (int element = numbers.elementFrom(row); element < last; element++) {
                int end = numbers.wordTo(element);
                int distance = ELEMENT_DISTANCE;
                for (int word = numbers.wordFrom(element); word < end; word++) {
                    terms.add(tokens[numbers.number(word)], distance);
                    distance = 1;
                }
            }
            if (!terms.isEmpty()) {
                into.add(field);
            }
        }
    }

    /** Whole texts: of a field, or of the elements of an array or a weighted set. */
    static final class Values extends FieldRows {
        private final String name;
        private final FoldedText folded;
        private final TextReader reader = new TextReader();
        private final TermsStream terms = new TermsStream();
        private final Field field;
        private Optional<Column> column = Optional.empty();

        Values(String name, TextAnalysis analysis) {
            this.name = name;
            this.folded = new FoldedText(analysis);
            this.field = new Field(SectionIndex.VALUES + name, terms, TERMS);
        }

        @Override
        void open(EncodedBlock block) {
            column = block.column(name);
        }

        @Override
        void add(int row, List<IndexableField> into) {
            Column all = column.orElse(null);
            if (all == null || !all.presence().has(row)) {
                return;
            }
            terms.clear();
            if (elements(all) instanceof Column.Texts texts) {
                int end = end(all, row);
                for (int at = first(all, row); at < end; at++) {
                    if (texts.presence().has(at)) {
                        reader.read(texts, at);
                        folded.set(reader.bytes(), reader.offset(), reader.length());
                        terms.add(term(folded.buffer(), folded.length()));
                    }
                }
            }
            if (!terms.isEmpty()) {
                into.add(field);
            }
        }
    }

    /** Numbers and booleans: of a field, or of the elements of an array or a weighted set. */
    static final class Numbers extends FieldRows {
        private final String name;
        private final String indexed;
        private Optional<Column> column = Optional.empty();

        Numbers(String name) {
            this.name = name;
            this.indexed = SectionIndex.NUMBERS + name;
        }

        @Override
        void open(EncodedBlock block) {
            column = block.column(name);
        }

        @Override
        void add(int row, List<IndexableField> into) {
            Column all = column.orElse(null);
            if (all == null || !all.presence().has(row)) {
                return;
            }
            Column values = elements(all);
            int end = end(all, row);
            for (int at = first(all, row); at < end; at++) {
                if (values.presence().has(at)) {
                    point(values, at).ifPresent(into::add);
                }
            }
        }

        private Optional<IndexableField> point(Column values, int at) {
            return switch (values) {
                case Column.Booleans(var bytes, _) ->
                        Optional.of(new LongPoint(indexed, bytes.get(ValueLayout.JAVA_BYTE, at)));
                case Column.Numbers(var kind, var numbers, _) ->
                        Optional.of(
                                switch (kind) {
                                    case INT ->
                                            new LongPoint(
                                                    indexed, numbers.get(BlockLayout.INT, 4L * at));
                                    case LONG ->
                                            new LongPoint(
                                                    indexed,
                                                    numbers.get(BlockLayout.LONG, 8L * at));
                                    // Adding 0 turns -0 into 0: they are equal, and their points
                                    // are not.
                                    case FLOAT ->
                                            new FloatPoint(
                                                    indexed,
                                                    numbers.get(SectionIndex.FLOAT, 4L * at)
                                                            + 0.0f);
                                    case DOUBLE ->
                                            new DoublePoint(
                                                    indexed,
                                                    numbers.get(SectionIndex.DOUBLE, 8L * at)
                                                            + 0.0);
                                });
                case Column.Texts _, Column.Nested _, Column.DenseTensors _ -> Optional.empty();
            };
        }
    }

    private static Column elements(Column column) {
        return switch (column) {
            case Column.Arrays arrays -> arrays.elements();
            case Column.WeightedSets sets -> sets.elements();
            case Column.FixedWidth _, Column.Texts _, Column.Nested _ -> column;
        };
    }

    private static int first(Column column, int row) {
        IntUnaryOperator firsts = firsts(column);
        return firsts == null ? row : firsts.applyAsInt(row);
    }

    private static int end(Column column, int row) {
        IntUnaryOperator firsts = firsts(column);
        return firsts == null ? row + 1 : firsts.applyAsInt(row + 1);
    }

    private static @Nullable IntUnaryOperator firsts(Column column) {
        return switch (column) {
            case Column.Arrays arrays -> arrays::first;
            case Column.WeightedSets sets -> sets::first;
            case Column.FixedWidth _, Column.Texts _, Column.Nested _ -> null;
        };
    }
}
