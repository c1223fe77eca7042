package org.crabro.content.search.match.text;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.crabro.config.schema.MatchMode;
import org.crabro.content.storage.block.column.Column;
import org.crabro.content.storage.block.column.TextReader;
import org.crabro.content.storage.file.WorkMeter;
import org.crabro.text.FoldedText;
import org.crabro.text.TextAnalysis;
import org.crabro.text.Tokenizer;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates one condition on many texts. If a column stores distinct texts, each of them is
 * evaluated once. The memory is reused. For one thread.
 */
public final class TextMatcher {
    private static final long UNKNOWN = TextKeys.NONE + 1;

    /** The units of work to evaluate a text, in addition to its bytes. */
    private static final int TEXT_UNITS = 16;

    private final TextReader reader = new TextReader();
    private final Weigher weigher;
    private final WorkMeter work;
    private Column.@Nullable CodedTexts codedColumn;
    private long[] byCode = {};

    public TextMatcher(TextPredicate predicate, WorkMeter work) {
        this.work = work;
        this.weigher =
                switch (predicate) {
                    case TextPredicate.OfPattern pattern -> new PatternWeigher(pattern, work);
                    case TextPredicate.OfRegex regex -> new RegexWeigher(regex, work);
                    case TextPredicate.OfFuzzy likeness -> new LevenshteinMatcher(likeness, work);
                    case TextPredicate.OfNear nearness -> new NearMatcher(nearness, work);
                    case TextPredicate.OfKeys keys -> new KeysWeigher(keys);
                    case TextPredicate.OfPredicate attributes -> new PredicateWeigher(attributes);
                };
    }

    /** Evaluates the condition on a text. */
    interface Weigher {
        /** Returns the weight of the match, or {@link TextKeys#NONE} for no match. */
        long weight(MemorySegment bytes, long offset, int length);
    }

    /** Returns whether the text at {@code index} matches. */
    public boolean test(Column.Texts column, int index) {
        return weight(column, index) != TextKeys.NONE;
    }

    /**
     * Returns the weight of the match of the text at {@code index}, or {@link TextKeys#NONE} for no
     * match.
     */
    public long weight(Column.Texts column, int index) {
        if (!(column instanceof Column.CodedTexts coded)) {
            reader.read(column, index);
            work.spend(TEXT_UNITS + reader.length());
            return weigher.weight(reader.bytes(), reader.offset(), reader.length());
        }
        if (!coded.equals(codedColumn)) {
            int count = coded.valueCount();
            if (byCode.length < count) {
                byCode = new long[count];
            }
            Arrays.fill(byCode, 0, count, UNKNOWN);
            codedColumn = coded;
        }
        int code = coded.code(index);
        if (byCode[code] == UNKNOWN) {
            reader.readValue(coded, code);
            work.spend(TEXT_UNITS + reader.length());
            byCode[code] = weigher.weight(reader.bytes(), reader.offset(), reader.length());
        }
        return byCode[code];
    }

    /**
     * Returns whether the texts from {@code first} (inclusive) to {@code end} (exclusive), taken
     * together, contain the searched words near each other.
     *
     * @param gap the number of words added to the distance between words of consecutive texts
     */
    public boolean testTogether(Column.Texts column, int first, int end, int gap) {
        if (!(weigher instanceof NearMatcher near)) {
            throw new IllegalStateException("only nearness is asked of several texts together");
        }
        near.begin();
        for (int at = first; at < end; at++) {
            if (column.presence().has(at)) {
                reader.read(column, at);
                near.add(reader.bytes(), reader.offset(), reader.length(), gap);
            } else {
                near.pass(gap);
            }
        }
        return near.isFound();
    }

    private static final class PatternWeigher implements Weigher {
        private final RawTextSearch raw;
        private final TextOccurrences occurrences = new TextOccurrences(1, 1);

        PatternWeigher(TextPredicate.OfPattern pattern, WorkMeter work) {
            this.raw =
                    new RawTextSearch(
                            new TextScan(0, "", pattern.mode(), List.of(pattern.pattern())), work);
        }

        @Override
        public long weight(MemorySegment bytes, long offset, int length) {
            occurrences.clear(1);
            raw.look(bytes, offset, length, occurrences, 0);
            return occurrences.occurrences(0, 0) > 0 ? 1 : TextKeys.NONE;
        }
    }

    private static final class RegexWeigher implements Weigher {
        private final DecodedText text;
        private final com.google.re2j.Matcher matcher;
        private final int maxLength;

        RegexWeigher(TextPredicate.OfRegex pattern, WorkMeter work) {
            this.text = new DecodedText(work, pattern.expression().programSize());
            this.matcher = pattern.expression().matcher(text);
            this.maxLength = pattern.maxLength();
        }

        @Override
        public long weight(MemorySegment bytes, long offset, int length) {
            text.set(bytes, offset, Math.min(length, maxLength));
            // The matcher reads the same text object with new characters, so no memory is
            // allocated.
            matcher.reset();
            return matcher.find() ? 1 : TextKeys.NONE;
        }
    }

    private static final class KeysWeigher implements Weigher {
        private final TextKeys keys;
        private final boolean isWhole;
        private final int maxLength;
        private final FoldedText folded;
        private final Tokenizer tokenizer;

        KeysWeigher(TextPredicate.OfKeys pattern) {
            TextAnalysis analysis = pattern.mode().analysis();
            this.keys = pattern.keys();
            this.maxLength = pattern.mode().maxLength();
            this.isWhole = pattern.mode().unit() == MatchMode.Unit.VALUE;
            this.folded = new FoldedText(analysis);
            this.tokenizer = new Tokenizer(analysis);
        }

        @Override
        public long weight(MemorySegment bytes, long offset, int size) {
            int length = Math.min(size, maxLength);
            if (isWhole) {
                folded.set(bytes, offset, length);
                return keys.weight(folded.buffer(), folded.length());
            }
            tokenizer.set(bytes, offset, length);
            long best = TextKeys.NONE;
            while (tokenizer.next()) {
                best = Math.max(best, keys.weight(tokenizer.buffer(), tokenizer.length()));
            }
            return best;
        }
    }
}
