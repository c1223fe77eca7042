package org.crabro.content.storage.index;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntConsumer;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.FixedBitSet;
import org.apache.lucene.util.NumericUtils;
import org.apache.lucene.util.StringHelper;
import org.crabro.content.storage.journal.LogFiles;
import org.crabro.document.FieldType.Primitive;
import org.jspecify.annotations.Nullable;

/**
 * The index of the rows of one document type in a run. Rows are numbered over all blocks, from 0;
 * dead rows have numbers too. Thread-safe; valid until the run is unmapped.
 */
public final class SectionIndex implements AutoCloseable {
    /** Longer terms are cut, so that searches for them do not use the index. */
    public static final int TERM_BYTES_MAX = 32_000;

    static final String WORDS = "words.";
    static final String VALUES = "values.";
    static final String NUMBERS = "numbers.";
    static final String PREDICATES = "predicates.";
    static final String LEAST = "least.";

    /** At the n-th row, the number of the row with the n-th id. */
    static final String BY_ID = "byId";

    /** How predicates are divided into intervals. An index of another version is made again. */
    static final String PREDICATES_VERSION = "1";

    static final String WANTED = "wanted";

    static final ValueLayout.OfFloat FLOAT =
            ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfDouble DOUBLE =
            ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final IndexFile file;
    private final LeafReader reader;
    private final Map<String, String> description;

    /** By field. */
    private final Map<String, Words> words = new HashMap<>();

    private final int[] firstRows;

    /**
     * The words of a field.
     *
     * @param terms null if no row has words
     */
    private record Words(long fingerprint, @Nullable Terms terms) {
        TermsEnum dictionary() throws IOException {
            return terms == null ? TermsEnum.EMPTY : terms.iterator();
        }
    }

    /** A condition on a term, the first {@code length} bytes. */
    public interface TermTest {
        boolean fits(byte[] term, int length);
    }

    private SectionIndex(IndexFile file, DirectoryReader all, SectionRows rows) throws IOException {
        this.file = file;
        this.reader = all.leaves().getFirst().reader();
        this.description = all.getIndexCommit().getUserData();
        for (Map.Entry<String, String> each : description.entrySet()) {
            if (each.getKey().startsWith(WORDS)) {
                String field = each.getKey().substring(WORDS.length());
                long fingerprint = Long.parseLong(each.getValue());
                words.put(field, new Words(fingerprint, reader.terms(each.getKey())));
            }
        }
        this.firstRows = new int[rows.blockCount()];
        int next = 0;
        for (int i = 0; i < firstRows.length; i++) {
            firstRows[i] = next;
            next += rows.rowCount(i);
        }
    }

    /**
     * Opens an index.
     *
     * @return empty if it is not of these rows and fields
     * @throws IOException if it is damaged, or was written by another version
     */
    public static Optional<SectionIndex> open(
            LogFiles files, String path, IndexedRun run, SectionRows rows, IndexedFields wanted)
            throws IOException {
        IndexFile file = IndexFile.open(files, path);
        boolean isOpen = false;
        try {
            DirectoryReader all = DirectoryReader.open(file);
            Map<String, String> description = all.getIndexCommit().getUserData();
            boolean isOf =
                    description.entrySet().containsAll(run.text().entrySet())
                            && wanted.text().equals(description.get(WANTED));
            if (!isOf) {
                return Optional.empty();
            }
            if (all.leaves().size() != 1 || all.maxDoc() != run.rows()) {
                throw new IOException(
                        "%s: expected %d rows in one segment, found %d in %d"
                                .formatted(path, run.rows(), all.maxDoc(), all.leaves().size()));
            }
            var opened = new SectionIndex(file, all, rows);
            isOpen = true;
            return Optional.of(opened);
        } catch (IllegalArgumentException e) {
            throw new IOException(path + ": " + e.getMessage(), e);
        } finally {
            if (!isOpen) {
                file.close();
            }
        }
    }

    /** Returns whether this is the index of {@code wanted}. */
    public boolean isOf(IndexedFields wanted) {
        return wanted.text().equals(description.get(WANTED));
    }

    /** Returns the length of the file in bytes. */
    public long byteCount() {
        return file.byteCount();
    }

    /** Returns the number of rows. */
    public int rowCount() {
        return reader.maxDoc();
    }

    /** Returns the number of the first row of a block. */
    public int firstRow(int block) {
        return firstRows[block];
    }

    /** Returns the block of a row. */
    public int block(int row) {
        int block = Arrays.binarySearch(firstRows, row);
        return block < 0 ? -block - 2 : block;
    }

    /** Returns the rows in the order of their ids, for one thread; empty if it is unknown. */
    public Optional<RowsById> rowsById() {
        try {
            return Optional.ofNullable(reader.getNumericDocValues(BY_ID)).map(RowsById::new);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns whether the words of a field are indexed, by the analysis with a fingerprint. */
    public boolean hasWords(String field, long fingerprint) {
        Words cached = words.get(field);
        return cached != null && cached.fingerprint() == fingerprint;
    }

    /** Returns whether the whole texts of a field are indexed, folded by an analysis. */
    public boolean hasValues(String field, long fingerprint) {
        return Long.toString(fingerprint).equals(description.get(VALUES + field));
    }

    /** Returns whether the numbers of a field are indexed. */
    public boolean hasNumbers(String field) {
        return description.containsKey(NUMBERS + field);
    }

    /** Returns whether the predicates of a field are indexed. */
    public boolean hasPredicates(String field) {
        return PREDICATES_VERSION.equals(description.get(PREDICATES + field));
    }

    /**
     * Adds the rows whose predicates are true.
     *
     * @param attributes of the query, which the index knows
     * @param work receives units of work, some nanoseconds each, before the work is done
     * @return whether the predicates of all these rows are true; if not, rows whose predicates are
     *     too long for the index were added, too
     */
    public boolean addPredicates(
            String field, QueryAttributes attributes, IntConsumer work, RowSet.Builder into) {
        try {
            Terms terms = reader.terms(PREDICATES + field);
            NumericDocValues least = reader.getNumericDocValues(LEAST + field);
            return terms == null
                    || least == null
                    || new PredicateSearch(terms, least, rowCount(), work)
                            .add(attributes, into.bits());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns a word of at most {@value #TERM_BYTES_MAX} bytes. */
    public IndexedWord word(String field, byte[] word) {
        try {
            TermsEnum each = words(field).dictionary();
            var text = new BytesRef(word);
            return each.seekExact(text)
                    ? new IndexedWord.Forms(each, List.of(IndexedWord.Term.of(each)))
                    : IndexedWord.Forms.ABSENT;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Returns a word whose forms begin with {@code prefix} and fulfil a condition; empty if there
     * are more than {@value IndexedWord#FORMS_MAX}.
     */
    public Optional<IndexedWord> word(String field, byte[] prefix, TermTest test) {
        try {
            TermsEnum each = words(field).dictionary();
            var forms = new ArrayList<IndexedWord.Term>();
            var start = new BytesRef(prefix);
            TermsEnum.SeekStatus status = each.seekCeil(start);
            BytesRef term = status == TermsEnum.SeekStatus.END ? null : each.term();
            while (term != null && StringHelper.startsWith(term, start)) {
                if (test.fits(bytes(term), term.length)) {
                    if (forms.size() == IndexedWord.FORMS_MAX) {
                        return Optional.empty();
                    }
                    forms.add(IndexedWord.Term.of(each));
                }
                term = each.next();
            }
            return Optional.of(
                    forms.isEmpty()
                            ? IndexedWord.Forms.ABSENT
                            : new IndexedWord.Forms(each, forms));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Returns consecutive words in one element of a field.
     *
     * @param words of this field and index, at least 2
     * @param work receives units of work, some nanoseconds each, before the work is done
     */
    public static IndexedWord phrase(List<IndexedWord> words, IntConsumer work) {
        var forms = new ArrayList<IndexedWord.Forms>();
        for (IndexedWord word : words) {
            switch (word) {
                case IndexedWord.Forms phraseForms -> forms.add(phraseForms);
                case IndexedPhrase _ -> throw new IllegalArgumentException("a phrase in a phrase");
            }
        }
        return new IndexedPhrase(forms, work);
    }

    private Words words(String field) {
        Words cached = words.get(field);
        if (cached == null) {
            throw new IllegalArgumentException("no words of " + field);
        }
        return cached;
    }

    /** Returns the bytes of a term, from index 0 on. */
    private static byte[] bytes(BytesRef term) {
        return term.offset == 0
                ? term.bytes
                : Arrays.copyOfRange(term.bytes, term.offset, term.offset + term.length);
    }

    /** Returns the number of words of a field in all rows. */
    public long wordTotal(String field) {
        try {
            Terms terms = words(field).terms();
            return terms == null ? 0 : terms.getSumTotalTermFreq();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the number of rows that have words in a field. */
    public int rowsWithWords(String field) {
        try {
            Terms terms = words(field).terms();
            return terms == null ? 0 : terms.getDocCount();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the numbers of words of a field, for one thread. */
    public RowLengths lengths(String field) {
        try {
            return new RowLengths(reader.getNormValues(WORDS + field));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Adds the rows with a word that begins with {@code prefix} and fulfils a condition. */
    public void addWords(String field, byte[] prefix, TermTest test, RowSet.Builder into) {
        add(WORDS + field, prefix, test, into.bits());
    }

    /** Adds the rows with a text, of at most {@value #TERM_BYTES_MAX} bytes. */
    public void addValue(String field, byte[] text, RowSet.Builder into) {
        add(VALUES + field, text, into.bits());
    }

    /** Adds the rows with a text that begins with {@code prefix}. */
    public void addValues(String field, byte[] prefix, RowSet.Builder into) {
        add(VALUES + field, prefix, (_, _) -> true, into.bits());
    }

    private void add(String indexed, byte[] term, FixedBitSet into) {
        try {
            PostingsEnum postings =
                    reader.postings(new Term(indexed, new BytesRef(term)), PostingsEnum.NONE);
            if (postings != null) {
                into.or(postings);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void add(String indexed, byte[] prefix, TermTest test, FixedBitSet into) {
        try {
            Terms terms = reader.terms(indexed);
            if (terms == null) {
                return;
            }
            TermsEnum each = terms.iterator();
            var start = new BytesRef(prefix);
            PostingsEnum postings = null;
            TermsEnum.SeekStatus status = each.seekCeil(start);
            BytesRef term = status == TermsEnum.SeekStatus.END ? null : each.term();
            while (term != null && StringHelper.startsWith(term, start)) {
                if (test.fits(bytes(term), term.length)) {
                    postings = each.postings(postings, PostingsEnum.NONE);
                    into.or(postings);
                }
                term = each.next();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the rows with a whole number, or a boolean as 0 or 1, in a range. */
    public NumberRows wholes(String field, long low, long high) {
        return numbers(field, low, high);
    }

    /** Returns the rows with a float in a range; an end that is NaN means that there is none. */
    public NumberRows floats(String field, float low, float high) {
        return low <= high
                ? numbers(
                        field,
                        NumericUtils.floatToSortableInt(low + 0.0f),
                        NumericUtils.floatToSortableInt(high + 0.0f))
                : NumberRows.NONE;
    }

    /** Returns the rows with a double in a range; an end that is NaN means that there is none. */
    public NumberRows doubles(String field, double low, double high) {
        return low <= high
                ? numbers(
                        field,
                        NumericUtils.doubleToSortableLong(low + 0.0),
                        NumericUtils.doubleToSortableLong(high + 0.0))
                : NumberRows.NONE;
    }

    private NumberRows numbers(String field, long low, long high) {
        try {
            return new NumberRows(reader.getPointValues(NUMBERS + field), low, high);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Returns the numbers of a field from the best on.
     *
     * @param type of the field
     * @param ascending whether low numbers are the best
     */
    public BestNumbers bestNumbers(String field, Primitive type, boolean ascending) {
        try {
            return new BestNumbers(reader.getPointValues(NUMBERS + field), type, ascending);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        file.close();
    }
}
