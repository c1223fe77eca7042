package org.crabro.content.storage.index;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Optional;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexableField;
import org.apache.lucene.util.ArrayUtil;
import org.crabro.content.storage.block.EncodedBlock;
import org.crabro.content.storage.block.column.Column;
import org.crabro.content.storage.block.column.TextReader;

/** The intervals of predicates, and the least number of postings of each. */
final class PredicateRows extends FieldRows {
    private static final FieldType INTERVALS = new FieldType();

    static {
        INTERVALS.setIndexOptions(IndexOptions.DOCS_AND_FREQS_AND_POSITIONS);
        INTERVALS.setOmitNorms(true);
        INTERVALS.setTokenized(true);
        INTERVALS.freeze();
    }

    private final String name;
    private final TextReader reader = new TextReader();
    private final IntervalStream stream = new IntervalStream();
    private final PredicateIntervals intervals = new PredicateIntervals(stream);
    private final Field field;
    private final Field least;
    private byte[] text = new byte[256];
    private Optional<Column> column = Optional.empty();

    PredicateRows(String name) {
        this.name = name;
        this.field = new Field(SectionIndex.PREDICATES + name, stream, INTERVALS);
        this.least = new NumericDocValuesField(SectionIndex.LEAST + name, 0);
    }

    @Override
    void open(EncodedBlock block) {
        column = block.column(name);
    }

    @Override
    void add(int row, List<IndexableField> into) {
        if (!(column.orElse(null) instanceof Column.Texts texts) || !texts.presence().has(row)) {
            return;
        }
        reader.read(texts, row);
        text = ArrayUtil.growNoCopy(text, reader.length());
        MemorySegment.copy(
                reader.bytes(), ValueLayout.JAVA_BYTE, reader.offset(), text, 0, reader.length());
        int postings = intervals.compile(text, reader.length());
        if (stream.count() > 0) {
            least.setLongValue(postings);
            into.add(field);
            into.add(least);
        }
    }
}
