package org.crabro.content.storage.index;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.apache.lucene.util.FixedBitSet;

/**
 * Consecutive words in one element of a field. Rows with all words are found first, and then
 * checked by the positions of the words. For one thread.
 */
public final class IndexedPhrase extends IndexedWord {
    private static final int[] NONE = {};

    private final List<Forms> words;
    private final IntConsumer work;

    /** The rows, rising, and how often the phrase occurs in them; empty until it is counted. */
    private int[] rows = NONE;

    private int[] frequencies = NONE;
    private int count;
    private boolean isCounted;

    /**
     * @param words of the same index, at least 2
     * @param work receives units of work, some nanoseconds each
     */
    IndexedPhrase(List<Forms> words, IntConsumer work) {
        this.words = List.copyOf(words);
        this.work = work;
    }

    @Override
    public long rowsMax() {
        if (isCounted) {
            return count;
        }
        return words.stream().mapToLong(IndexedWord::rowsMax).min().orElseThrow();
    }

    @Override
    boolean isCounted() {
        return isCounted;
    }

    @Override
    boolean hasBits() {
        return false;
    }

    @Override
    FixedBitSet bits(int rowCount) {
        throw new IllegalStateException("a phrase has no bits");
    }

    /** Counts the rows, and keeps them: they are scored next. */
    @Override
    public int count(LiveRows live) {
        if (!isCounted) {
            find();
        }
        int dead = 0;
        for (int i = 0; i < count && !live.isEvery(); i++) {
            dead += live.has(rows[i]) ? 0 : 1;
        }
        return count - dead;
    }

    private void find() {
        WordCursor cursor = new Search();
        for (int row = cursor.advance(0); row != WordCursor.END; row = cursor.advance(row + 1)) {
            if (cursor.isMatch()) {
                if (count == rows.length) {
                    rows = Arrays.copyOf(rows, Math.max(16, 2 * count));
                    frequencies = Arrays.copyOf(frequencies, rows.length);
                }
                rows[count] = row;
                frequencies[count++] = cursor.frequency();
            }
        }
        isCounted = true;
    }

    @Override
    public WordCursor cursor() {
        return isCounted ? new Match() : new Search();
    }

    @Override
    public Optional<WordBlocks> blocks() {
        return Optional.empty();
    }

    /** A cursor over the rows that were counted. */
    final class Match extends WordCursor {
        private int at = -1;

        @Override
        public int row() {
            return at < 0 ? -1 : at < count ? rows[at] : END;
        }

        @Override
        public int advance(int target) {
            at++;
            if (at < count && rows[at] < target) {
                int position = Arrays.binarySearch(rows, at, count, target);
                at = position < 0 ? -position - 1 : position;
            }
            return row();
        }

        @Override
        public boolean isMatch() {
            return true;
        }

        @Override
        public int frequency() {
            return frequencies[at];
        }
    }

    /** A cursor over the rows with all words. */
    final class Search extends WordCursor {
        /** From the rarest on. */
        private final OfForms[] cursors;

        /** Of each word, its index in the phrase. */
        private final int[] places;

        private int row = -1;

        /** The positions at which the phrase would begin, by the words looked at so far. */
        private int[] starts = NONE;

        private int[] positions = NONE;

        /** How often the phrase occurs in the row; -1 if that is not known. */
        private int frequency = -1;

        Search() {
            this.places =
                    IntStream.range(0, words.size())
                            .boxed()
                            .sorted(Comparator.comparingLong(word -> words.get(word).rowsMax()))
                            .mapToInt(Integer::intValue)
                            .toArray();
            this.cursors = new OfForms[places.length];
            for (int i = 0; i < cursors.length; i++) {
                cursors[i] = words.get(places[i]).positions();
            }
        }

        @Override
        public int row() {
            return row;
        }

        @Override
        public int advance(int target) {
            frequency = -1;
            int wanted = target;
            while (true) {
                int first =
                        cursors[0].row() < wanted ? cursors[0].advance(wanted) : cursors[0].row();
                int next = first;
                for (int i = 1; i < cursors.length && next == first && first != END; i++) {
                    next = cursors[i].row() < first ? cursors[i].advance(first) : cursors[i].row();
                }
                if (next == first) {
                    row = first;
                    return row;
                }
                wanted = next;
            }
        }

        @Override
        public boolean isMatch() {
            return frequency() > 0;
        }

        @Override
        public int frequency() {
            if (frequency < 0) {
                try {
                    frequency = starts();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
            return frequency;
        }

        private int starts() throws IOException {
            int count = cursors[0].frequency();
            work.accept(count);
            starts = cursors[0].positions(starts);
            for (int i = 0; i < count; i++) {
                starts[i] -= places[0];
            }
            for (int word = 1; word < cursors.length && count > 0; word++) {
                int of = cursors[word].frequency();
                work.accept(of);
                positions = cursors[word].positions(positions);
                count = common(count, of, places[word]);
            }
            return count;
        }

        /** Keeps the starts at which a word has the right distance, and returns their number. */
        private int common(int count, int of, int distance) {
            int size = 0;
            int at = 0;
            for (int i = 0; i < count; i++) {
                int wanted = starts[i] + distance;
                while (at < of && positions[at] < wanted) {
                    at++;
                }
                starts[size] = starts[i];
                size += at < of && positions[at] == wanted ? 1 : 0;
            }
            return size;
        }
    }
}
