package org.crabro.content.search.match;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;
import org.crabro.config.schema.MatchMode;
import org.crabro.config.schema.MatchMode.Affix;
import org.crabro.content.search.match.text.NearWordMatcher;
import org.crabro.content.search.match.text.TextPattern;
import org.crabro.content.search.match.text.TextScan;
import org.crabro.content.search.match.text.TokenMatcher;
import org.crabro.content.storage.block.column.Column;
import org.crabro.content.storage.block.column.TextReader;
import org.crabro.content.storage.block.token.TokenDictionary;
import org.crabro.content.storage.block.token.TokenNumbers;
import org.crabro.content.storage.dead.DeadRows;
import org.crabro.content.storage.file.WorkMeter;
import org.crabro.content.storage.index.LiveRows;
import org.crabro.content.storage.index.RowSet;
import org.crabro.content.storage.index.SectionIndex;
import org.crabro.content.storage.read.BlockSlice;
import org.crabro.protocol.search.NearWord;
import org.crabro.ranking.kernel.NumberSearch;
import org.crabro.text.Tokenizer;
import org.jspecify.annotations.Nullable;

/**
 * Finds the words of documents that are near words of a query, and counts the live rows that have
 * them. They come from the dictionaries of blocks, and from the texts of rows without one; words of
 * other rows of a block do not count. For one thread.
 */
public final class NearWords {
    private static final NumberSearch SEARCH = NumberSearch.best();

    /** The number of words compared in a batch. */
    private static final int BATCH = 4_096;

    /** The units of work to compare a batch of words. */
    private static final int BATCH_UNITS = BATCH / 8;

    /** The units of work to read a token. */
    private static final int TOKEN_UNITS = 4;

    private static final byte[] NOTHING = {};

    private final Matcher matcher;
    private final WorkMeter work;
    private final List<List<TypedWord>> byText = new ArrayList<>();
    private final List<NearWordTable> tables = new ArrayList<>();
    private final TextReader reader = new TextReader();
    private int[] places = {};

    /** A word of the query in one field. */
    private static final class TypedWord {
        private final int term;
        private final byte[] text;
        private final boolean isBeginning;
        private final NearWordMatcher matcher;

        /** Matches other forms, which the query finds anyway; null if there are none. */
        private final @Nullable TokenMatcher forms;

        private final NearWordTable table;

        TypedWord(int term, TextPattern.Word word, int edits, NearWordTable table, WorkMeter work) {
            this.term = term;
            this.text = word.text().getBytes(StandardCharsets.UTF_8);
            this.isBeginning = word.affix() == Affix.PREFIX;
            this.matcher = new NearWordMatcher(word.text(), edits, work);
            this.forms = word.forms().map(rule -> rule.test(text, work)).orElse(null);
            this.table = table;
        }

        /** Returns the edits to a token that the word does not match; {@code FAR} for others. */
        int edits(byte[] token, int length) {
            int edits = matcher.edits(token, length);
            if (edits <= 0 || isMatched(token, length)) {
                return NearWordMatcher.FAR;
            }
            return NearWordMatcher.isOfLetters(string(token, length)) ? edits : NearWordMatcher.FAR;
        }

        private boolean isMatched(byte[] token, int length) {
            return (isBeginning && isAtStart(token, length))
                    || (forms != null && forms.fits(token, length));
        }

        private boolean isAtStart(byte[] token, int length) {
            return length >= text.length
                    && Arrays.equals(token, 0, text.length, text, 0, text.length);
        }
    }

    /**
     * @param matcher its terms are the words of the query
     * @param work counts the comparisons
     */
    public NearWords(Matcher matcher, WorkMeter work) {
        this.matcher = matcher;
        this.work = work;
        for (TextScan _ : matcher.textScans()) {
            byText.add(new ArrayList<>());
        }
        for (int term = 0; term < matcher.termCount(); term++) {
            var table = new NearWordTable();
            tables.add(table);
            if (matcher.termSettings().get(term).spelling().typos()) {
                for (TermCondition condition : matcher.conditions(term)) {
                    addTyped(term, condition, table);
                }
            }
        }
    }

    private void addTyped(int term, TermCondition condition, NearWordTable table) {
        if (condition.textScan().isEmpty()) {
            return;
        }
        int scanned = condition.textScan().getAsInt();
        TextScan texts = matcher.textScans().get(scanned);
        if (texts.mode().unit() == MatchMode.Unit.TOKEN
                && texts.mode().gramSize() == 0
                && texts.pattern(condition.pattern()) instanceof TextPattern.Tokens(var words)
                && words.size() == 1) {
            TextPattern.Word word = words.getFirst();
            int edits = NearWordMatcher.edits(word.text());
            if (edits > 0 && (word.affix() == Affix.WHOLE || word.affix() == Affix.PREFIX)) {
                byText.get(scanned).add(new TypedWord(term, word, edits, table, work));
            }
        }
    }

    /**
     * Adds the words of the open slice.
     *
     * @param isWanted whether words near a term are needed
     */
    public void add(BlockScan scan, IntPredicate isWanted) {
        for (int scanned = 0; scanned < byText.size(); scanned++) {
            List<TypedWord> typedWords = typedWords(scanned, isWanted);
            if (!typedWords.isEmpty()) {
                TextScan texts = matcher.textScans().get(scanned);
                if (scan.textHits(scanned).hasTokens()) {
                    addOfDictionary(scan, texts, typedWords);
                } else {
                    addOfTexts(scan, new Texts(texts, typedWords));
                }
            }
        }
    }

    private List<TypedWord> typedWords(int scanned, IntPredicate isWanted) {
        return byText.get(scanned).stream().filter(typed -> isWanted.test(typed.term)).toList();
    }

    /** Returns whether the index of a section has all words that are compared. */
    boolean isIn(SectionWords words) {
        for (int scanned = 0; scanned < byText.size(); scanned++) {
            if (!byText.get(scanned).isEmpty() && !words.hasWords(scanned)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Adds the words of a section by its index, which {@link #isIn has} them.
     *
     * @param isWanted whether words near a term are needed
     */
    void add(SectionIndex index, LiveRows live, IntPredicate isWanted) {
        for (int scanned = 0; scanned < byText.size(); scanned++) {
            List<TypedWord> typedWords = typedWords(scanned, isWanted);
            if (!typedWords.isEmpty()) {
                String field = matcher.textScans().get(scanned).name();
                var in = new OfIndex(index, field, live);
                // The test accepts no word: it only looks at them.
                index.addWords(
                        field,
                        NOTHING,
                        (token, length) -> {
                            compare(token, length, typedWords, in);
                            return false;
                        },
                        new RowSet.Builder(index.rowCount()));
            }
        }
    }

    /** The words of a field in the index of a section. */
    private record OfIndex(SectionIndex index, String field, LiveRows live) {}

    private void compare(byte[] token, int length, List<TypedWord> typedWords, OfIndex in) {
        work.spend(TOKEN_UNITS, typedWords.size());
        for (int i = 0; i < typedWords.size(); i++) {
            TypedWord typed = typedWords.get(i);
            int edits = typed.edits(token, length);
            if (edits != NearWordMatcher.FAR) {
                byte[] word = Arrays.copyOf(token, length);
                int documents = in.index.word(in.field, word).count(in.live);
                if (documents > 0) {
                    typed.table.add(string(word, length), edits, documents);
                }
            }
        }
    }

    /** Words that are compared with the words of texts. */
    private record Texts(TextScan scan, List<TypedWord> typedWords) {}

    /** Returns the words near a term, in the order of {@link NearWord#NEAREST_FIRST}. */
    public List<NearWord> words(int term) {
        return tables.get(term).words();
    }

    private void addOfDictionary(BlockScan scan, TextScan texts, List<TypedWord> typedWords) {
        TokenDictionary dictionary = scan.tokenDictionary(texts.field()).orElseThrow();
        BlockSlice slice = scan.slice();
        boolean isBlock =
                slice.from() == 0
                        && slice.to() == slice.block().rowCount()
                        && slice.liveCount() == slice.to();
        Optional<TokenNumbers> numbers = Optional.empty();
        TokenDictionary.Cursor cursor = dictionary.cursor();
        boolean isMore = cursor.next();
        while (isMore) {
            work.spend(TOKEN_UNITS, typedWords.size());
            int dead = 0;
            for (int i = 0; i < typedWords.size(); i++) {
                TypedWord typed = typedWords.get(i);
                int edits = typed.edits(cursor.buffer(), cursor.length());
                dead = Math.max(dead, typed.matcher.deadLength());
                if (edits == NearWordMatcher.FAR) {
                    continue;
                }
                int documents = cursor.documents();
                if (!isBlock) {
                    if (numbers.isEmpty()) {
                        numbers = Optional.of(scan.tokenNumbers(texts.field()));
                    }
                    documents = documents(numbers.get(), slice, cursor.number());
                }
                if (documents > 0) {
                    typed.table.add(string(cursor.buffer(), cursor.length()), edits, documents);
                }
            }
            isMore = dead == Integer.MAX_VALUE ? cursor.next() : cursor.skip(dead);
        }
    }

    /** Returns the number of live rows of a slice that have a token. */
    private int documents(TokenNumbers numbers, BlockSlice slice, int token) {
        if (places.length == 0) {
            places = new int[BATCH];
        }
        DeadRows dead = slice.dead();
        int documents = 0;
        int row = slice.from();
        int lastRow = -1;
        int end = numbers.rowStart(slice.to());
        for (int at = numbers.rowStart(slice.from()); at < end; at += BATCH) {
            work.spend(BATCH_UNITS);
            int count =
                    SEARCH.find(
                            numbers.words(),
                            numbers.width(),
                            at,
                            Math.min(end, at + BATCH),
                            token,
                            token,
                            places);
            for (int i = 0; i < count; i++) {
                while (numbers.rowStart(row + 1) <= places[i]) {
                    row++;
                }
                if (row != lastRow) {
                    lastRow = row;
                    documents += dead.has(row) ? 0 : 1;
                }
            }
        }
        return documents;
    }

    private void addOfTexts(BlockScan scan, Texts texts) {
        var tokenizer = new Tokenizer(TextScan.analysis(texts.scan.mode()));
        int count = scan.live();
        int[] rows = scan.rows();
        scan.setTokenized();
        Column column = scan.column(texts.scan.field()).orElse(null);
        for (int i = 0; i < count && column != null; i++) {
            int row = rows[i];
            if (!column.presence().has(row)) {
                continue;
            }
            long place = (long) scan.index() << Integer.SIZE | row;
            switch (column) {
                case Column.Texts text -> add(text, row, texts, tokenizer, place);
                case Column.Arrays arrays -> {
                    if (arrays.elements() instanceof Column.Texts elements) {
                        for (int at = arrays.first(row); at < arrays.first(row + 1); at++) {
                            add(elements, at, texts, tokenizer, place);
                        }
                    }
                }
                case Column.WeightedSets sets -> {
                    if (sets.elements() instanceof Column.Texts elements) {
                        for (int at = sets.first(row); at < sets.first(row + 1); at++) {
                            add(elements, at, texts, tokenizer, place);
                        }
                    }
                }
                case Column.FixedWidth _, Column.Nested _ -> {}
            }
        }
    }

    /**
     * Adds the words of a text.
     *
     * @param place of the row
     */
    private void add(
            Column.Texts column, int element, Texts texts, Tokenizer tokenizer, long place) {
        reader.read(column, element);
        int length = Math.min(reader.length(), texts.scan.mode().maxLength());
        work.spend(length);
        tokenizer.set(reader.bytes(), reader.offset(), length);
        while (tokenizer.next()) {
            work.spend(TOKEN_UNITS, texts.typedWords.size());
            for (int i = 0; i < texts.typedWords.size(); i++) {
                TypedWord typed = texts.typedWords.get(i);
                int edits = typed.edits(tokenizer.buffer(), tokenizer.length());
                if (edits != NearWordMatcher.FAR) {
                    typed.table.addOnce(
                            string(tokenizer.buffer(), tokenizer.length()),
                            edits,
                            new NearWordTable.RowOfField(texts.scan.field(), place));
                }
            }
        }
    }

    private static String string(byte[] token, int length) {
        return new String(token, 0, length, StandardCharsets.UTF_8);
    }
}
