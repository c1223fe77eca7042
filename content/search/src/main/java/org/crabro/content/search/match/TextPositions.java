package org.crabro.content.search.match;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import org.crabro.config.schema.MatchMode;
import org.crabro.config.schema.MatchMode.Affix;
import org.crabro.content.search.match.text.GramSequence;
import org.crabro.content.search.match.text.RawTextSearch;
import org.crabro.content.search.match.text.TextPattern;
import org.crabro.content.search.match.text.TextScan;
import org.crabro.content.search.match.text.TokenHits;
import org.crabro.content.search.match.text.TokenMatcher;
import org.crabro.content.search.match.text.TokenPattern;
import org.crabro.content.storage.block.EncodedBlock;
import org.crabro.content.storage.block.column.Column;
import org.crabro.content.storage.block.column.TextReader;
import org.crabro.content.storage.block.token.TokenDictionary;
import org.crabro.content.storage.block.token.TokenNumbers;
import org.crabro.protocol.query.GramMatch;
import org.crabro.text.FoldedText;
import org.crabro.text.Tokenizer;
import org.jspecify.annotations.Nullable;

/**
 * The positions of a query's patterns in the texts of one row: for each occurrence its element, and
 * its position among the element's words, from 0. For one thread.
 *
 * <p>{@link TextHits} counts occurrences over many rows at a time. This class serves the features
 * that need positions, and reads only the rows that are scored by them. If the block stores tokens
 * of the field's analysis, these are read. Otherwise, or for patterns that tokens cannot answer,
 * the texts are tokenized. The positions are the same in both cases.
 */
public final class TextPositions {
    private final TextScan texts;
    private final BlockScan scan;
    private final TokenHits tokens;
    private final TokenHits.PositionSink sink = this::add;
    private final TextReader reader = new TextReader();
    private final Tokenizer tokenizer;
    private final FoldedText folded;
    private final @Nullable TokenMatcher[][] forms;
    private final byte[][][] words;

    /** By pattern, the search of grams whose positions decide; null for other patterns. */
    private final @Nullable GramSequence[] sequences;

    private @Nullable EncodedBlock block;
    private boolean hasTokens;
    private int row = -1;

    private int elements;
    private int[] lengths = {};
    private int[] weights = {};
    private int length;
    private final int[] counts;
    private final int[][] elementOf;
    private final int[][] placeOf;

    // The words of the element that was tokenized last.
    private byte[] bytes = {};
    private int[] ends = {};
    private int wordCount;

    /** By word, the position of its first gram. */
    private int[] firstGrams = {};

    // The positions of the first grams of the places that end in a word.
    private final GramSequence.Sink firstPlaces = (first, _) -> addPlace(first);
    private int[] places = {};
    private int placeCount;

    TextPositions(TextScan texts, BlockScan scan) {
        this.texts = texts;
        this.scan = scan;
        this.tokens = new TokenHits(texts.tokenPatterns(), scan.work());
        this.tokenizer = new Tokenizer(TextScan.analysis(texts.mode()));
        this.folded = new FoldedText(TextScan.analysis(texts.mode()));
        int patterns = texts.patternCount();
        this.counts = new int[patterns];
        this.elementOf = new int[patterns][4];
        this.placeOf = new int[patterns][4];
        this.forms = new @Nullable TokenMatcher[patterns][];
        this.words = new byte[patterns][][];
        this.sequences = new @Nullable GramSequence[patterns];
        for (int i = 0; i < patterns; i++) {
            if (texts.pattern(i) instanceof TextPattern.Grams grams && grams.how().isByPosition()) {
                sequences[i] = texts.sequence(i, scan.work());
            }
            TokenPattern pattern = texts.tokenPatterns()[i];
            words[i] = pattern.words();
            forms[i] = new @Nullable TokenMatcher[pattern.words().length];
            for (int word = 0; word < forms[i].length; word++) {
                forms[i][word] = pattern.forms(word, scan.work());
            }
        }
    }

    /** Reads a row of the open slice. */
    @SuppressWarnings("ReferenceEquality") // Blocks are compared by identity.
    public void read(int wanted) {
        EncodedBlock open = scan.slice().block();
        if (open != block) {
            block = open;
            hasTokens = openTokens();
            row = -1;
        }
        if (row == wanted) {
            return;
        }
        row = wanted;
        elements = 0;
        length = 0;
        Arrays.fill(counts, 0);
        if (hasTokens) {
            readNumbers(wanted);
        } else {
            readTexts(wanted, false);
        }
    }

    private boolean openTokens() {
        if (texts.mode().unit() == MatchMode.Unit.VALUE) {
            return false;
        }
        Optional<TokenDictionary> dictionary = scan.tokenDictionary(texts.field());
        if (dictionary.isEmpty() || dictionary.get().fingerprint() != texts.fingerprint()) {
            return false;
        }
        tokens.open(dictionary.get(), null);
        tokens.take(scan.tokenNumbers(texts.field()), null);
        return true;
    }

    /** Returns the number of elements of the field. */
    public int elementCount() {
        return elements;
    }

    /** Returns the number of words of an element; 1 if the field is matched by whole values. */
    public int elementLength(int element) {
        return lengths[element];
    }

    /** Returns the weight of an element; 1 if elements have no weights. */
    public int elementWeight(int element) {
        return weights[element];
    }

    /** Returns the number of words of the field, summed over its elements. */
    public int length() {
        return length;
    }

    /** Returns how often a pattern occurs. */
    public int count(int pattern) {
        return counts[pattern];
    }

    /** Returns the element of an occurrence. Occurrences are in the order of the text. */
    public int element(int pattern, int occurrence) {
        return elementOf[pattern][occurrence];
    }

    /** Returns the position in its element of an occurrence's first word, from 0. */
    public int place(int pattern, int occurrence) {
        return placeOf[pattern][occurrence];
    }

    private void addElement(int words, int weight) {
        if (elements == lengths.length) {
            int capacity = Math.max(8, 2 * elements);
            lengths = Arrays.copyOf(lengths, capacity);
            weights = Arrays.copyOf(weights, capacity);
        }
        lengths[elements] = words;
        weights[elements++] = weight;
        length += words;
    }

    private void add(int pattern, int element, int place) {
        int count = counts[pattern];
        if (count == placeOf[pattern].length) {
            elementOf[pattern] = Arrays.copyOf(elementOf[pattern], 2 * count);
            placeOf[pattern] = Arrays.copyOf(placeOf[pattern], 2 * count);
        }
        elementOf[pattern][count] = element;
        placeOf[pattern][count] = place;
        counts[pattern]++;
    }

    private void readNumbers(int wanted) {
        TokenNumbers numbers = tokens.numbers();
        int first = numbers.elementFrom(wanted);
        int end = numbers.hasElements() ? numbers.elementTo(wanted) : first + 1;
        for (int element = first; element < end; element++) {
            addElement(
                    numbers.wordTo(element) - numbers.wordFrom(element), numbers.weight(element));
        }
        boolean isWhole = true;
        for (int pattern = 0; pattern < counts.length; pattern++) {
            if (!tokens.knows(pattern)) {
                isWhole = false;
            } else if (tokens.isPossible(pattern)) {
                tokens.places(pattern, first, end, sink);
            }
        }
        if (!isWhole) {
            int elementCount = elements;
            readTexts(wanted, true);
            elements = elementCount;
        }
    }

    /**
     * @param onlyOpen whether to search only the patterns that tokens cannot answer
     */
    private void readTexts(int wanted, boolean onlyOpen) {
        Optional<Column> stored = scan.column(texts.field());
        if (stored.isEmpty() || !stored.get().presence().has(wanted)) {
            return;
        }
        switch (stored.get()) {
            case Column.Texts column -> readText(column, wanted, 0, 1, onlyOpen);
            case Column.Arrays column when column.elements() instanceof Column.Texts inside -> {
                int first = column.first(wanted);
                int end = column.first(wanted + 1);
                for (int at = first; at < end; at++) {
                    readText(inside, at, at - first, 1, onlyOpen);
                }
            }
            case Column.WeightedSets column
                    when column.elements() instanceof Column.Texts inside -> {
                int first = column.first(wanted);
                int end = column.first(wanted + 1);
                for (int at = first; at < end; at++) {
                    int weight = column.weights().values().get(Layouts.INT, (long) at << 2);
                    readText(inside, at, at - first, weight, onlyOpen);
                }
            }
            case Column.Numbers _, Column.Booleans _, Column.Nested _, Column.DenseTensors _ -> {}
        }
    }

    private void readText(
            Column.Texts column, int index, int element, int weight, boolean onlyOpen) {
        reader.read(column, index);
        int size = Math.min(reader.length(), texts.mode().maxLength());
        boolean byWords = texts.mode().unit() == MatchMode.Unit.TOKEN;
        boolean isTokenized = byWords && !onlyOpen;
        if (isTokenized) {
            tokenize(size);
        }
        if (!onlyOpen) {
            addElement(byWords ? wordCount : 1, weight);
        }
        for (int pattern = 0; pattern < counts.length; pattern++) {
            if (onlyOpen && tokens.knows(pattern)) {
                continue;
            }
            switch (texts.pattern(pattern)) {
                case TextPattern.Tokens _ -> findWords(pattern, element);
                case TextPattern.Grams(_, var how) -> {
                    GramSequence sequence = sequences[pattern];
                    if (sequence == null) {
                        findParts(pattern, element, how == GramMatch.ALL);
                    } else {
                        if (!isTokenized) {
                            isTokenized = true;
                            tokenize(size);
                        }
                        findSequence(pattern, element, sequence);
                    }
                }
                case TextPattern.Within(String text) -> {
                    if (byWords && isWithinWord(pattern)) {
                        if (!isTokenized) {
                            isTokenized = true;
                            tokenize(size);
                        }
                        findWords(pattern, element);
                    } else {
                        findText(pattern, element, size, text, Affix.SUBSTRING);
                    }
                }
                case TextPattern.Whole(String text, Affix affix) ->
                        findText(pattern, element, size, text, affix);
            }
        }
    }

    private boolean isWithinWord(int pattern) {
        return texts.tokenPatterns()[pattern].kind() == TokenPattern.Kind.WITHIN_WORD;
    }

    private void tokenize(int size) {
        scan.work().spend(size);
        tokenizer.set(reader.bytes(), reader.offset(), size);
        wordCount = 0;
        int at = 0;
        while (tokenizer.next()) {
            int end = at + tokenizer.length();
            if (end > bytes.length) {
                bytes = Arrays.copyOf(bytes, Math.max(64, 2 * end));
            }
            if (wordCount == ends.length) {
                ends = Arrays.copyOf(ends, Math.max(16, 2 * wordCount));
            }
            System.arraycopy(tokenizer.buffer(), 0, bytes, at, tokenizer.length());
            ends[wordCount++] = end;
            at = end;
        }
    }

    private void findWords(int pattern, int element) {
        int size = words[pattern].length;
        for (int start = 0; start + size <= wordCount; start++) {
            scan.work().spend(size);
            int times = occurrences(pattern, 0, start);
            for (int i = 1; i < size && times > 0; i++) {
                times = occurrences(pattern, i, start + i) > 0 ? 1 : 0;
            }
            for (int i = 0; i < times; i++) {
                add(pattern, element, start);
            }
        }
    }

    /** The position of grams is that of the word in which the first one begins. */
    private void findSequence(int pattern, int element, GramSequence sequence) {
        if (firstGrams.length < wordCount) {
            firstGrams = new int[ends.length];
        }
        sequence.begin();
        for (int word = 0; word < wordCount; word++) {
            firstGrams[word] = sequence.position();
            placeCount = 0;
            sequence.add(bytes, word == 0 ? 0 : ends[word - 1], ends[word], firstPlaces);
            for (int i = 0; i < placeCount; i++) {
                int at = Arrays.binarySearch(firstGrams, 0, word + 1, places[i]);
                add(pattern, element, at < 0 ? -at - 2 : at);
            }
        }
    }

    private void addPlace(int first) {
        if (placeCount == places.length) {
            places = Arrays.copyOf(places, Math.max(8, 2 * placeCount));
        }
        places[placeCount++] = first;
    }

    /**
     * Grams occur together as often as the rarest of them does; the position is that of the first
     * one. Any of them occur at the position of each.
     */
    private void findParts(int pattern, int element, boolean areAll) {
        if (!areAll) {
            for (int word = 0; word < wordCount; word++) {
                scan.work().spend(words[pattern].length);
                for (int part = 0; part < words[pattern].length; part++) {
                    for (int i = occurrences(pattern, part, word); i > 0; i--) {
                        add(pattern, element, word);
                    }
                }
            }
            return;
        }
        int least = Integer.MAX_VALUE;
        int first = -1;
        for (int part = 0; part < words[pattern].length; part++) {
            scan.work().spend(wordCount);
            int hits = 0;
            for (int word = 0; word < wordCount; word++) {
                int times = occurrences(pattern, part, word);
                if (part == 0 && times > 0 && first < 0) {
                    first = word;
                }
                hits += times;
            }
            least = Math.min(least, hits);
        }
        for (int i = 0; i < least; i++) {
            add(pattern, element, first);
        }
    }

    /** Returns how often a word of a pattern occurs in a word of the text. */
    private int occurrences(int pattern, int form, int word) {
        int from = word == 0 ? 0 : ends[word - 1];
        int to = ends[word];
        TokenMatcher other = forms[pattern][form];
        byte[] text = words[pattern][form];
        if (other != null) {
            return other.fits(Arrays.copyOfRange(bytes, from, to), to - from) ? 1 : 0;
        }
        int room = to - from - text.length;
        if (room < 0) {
            return 0;
        }
        return switch (texts.tokenPatterns()[pattern].affix(form)) {
            case WHOLE -> room == 0 && stands(text, from) ? 1 : 0;
            case PREFIX -> stands(text, from) ? 1 : 0;
            case SUFFIX -> stands(text, to - text.length) ? 1 : 0;
            case SUBSTRING -> {
                int count = 0;
                for (int at = from; at <= from + room; at++) {
                    count += stands(text, at) ? 1 : 0;
                }
                yield count;
            }
        };
    }

    private boolean stands(byte[] text, int at) {
        return Arrays.equals(bytes, at, at + text.length, text, 0, text.length);
    }

    /**
     * A pattern without words has no word position; its occurrences have the first position of the
     * element.
     */
    private void findText(int pattern, int element, int size, String word, Affix affix) {
        byte[] text = word.getBytes(StandardCharsets.UTF_8);
        scan.work().spend(size);
        folded.set(reader.bytes(), reader.offset(), size);
        int end = folded.length();
        int count =
                switch (affix) {
                    case WHOLE -> folded.is(text) ? 1 : 0;
                    case PREFIX -> isIn(text, 0, end) ? 1 : 0;
                    case SUFFIX -> isIn(text, end - text.length, end) ? 1 : 0;
                    case SUBSTRING -> RawTextSearch.count(folded.buffer(), end, text, scan.work());
                };
        for (int i = 0; i < count; i++) {
            add(pattern, element, 0);
        }
    }

    private boolean isIn(byte[] text, int at, int end) {
        return at >= 0
                && at + text.length <= end
                && Arrays.equals(folded.buffer(), at, at + text.length, text, 0, text.length);
    }
}
