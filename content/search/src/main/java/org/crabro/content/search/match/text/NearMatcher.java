package org.crabro.content.search.match.text;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.crabro.config.schema.MatchMode.Affix;
import org.crabro.content.storage.file.WorkMeter;
import org.crabro.text.Tokenizer;

/**
 * Finds words close to each other in a text. It stores the positions of each word, then searches a
 * short range that contains each item. For one thread.
 */
final class NearMatcher implements TextMatcher.Weigher {
    /** The maximum position of an element. No collection has so many words. */
    private static final int POSITION_MAX = 1 << 30;

    /** The units of work to search a position in a list. */
    private static final int SEARCH_UNITS = 16;

    private final TextPredicate.OfNear near;
    private final WorkMeter work;
    private final Tokenizer tokenizer;
    private final List<byte[]> words = new ArrayList<>();
    private final List<Affix> affixes = new ArrayList<>();
    private final List<Optional<TokenMatcher>> forms = new ArrayList<>();
    private final List<Item> items = new ArrayList<>();
    private final List<Item> excluded = new ArrayList<>();
    private final Places[] places;
    private final int[] at;

    /** The start positions of all elements but the first, in rising order. */
    private final Places starts = new Places();

    /** The position of the next element's first word. */
    private int next;

    NearMatcher(TextPredicate.OfNear near, WorkMeter work) {
        this.near = near;
        this.work = work;
        this.tokenizer = new Tokenizer(near.mode().analysis());
        near.items().forEach(item -> items.add(new Item(item)));
        near.exclude().forEach(item -> excluded.add(new Item(item)));
        this.places = new Places[words.size()];
        Arrays.setAll(places, _ -> new Places());
        this.at = new int[items.size()];
    }

    /** Word positions in rising order. */
    private static final class Places {
        private int[] positions = new int[16];
        private int count;

        void add(int position) {
            if (count == positions.length) {
                positions = Arrays.copyOf(positions, 2 * count);
            }
            positions[count++] = position;
        }

        boolean has(int position) {
            return Arrays.binarySearch(positions, 0, count, position) >= 0;
        }
    }

    /** An item: its alternatives, as numbers of words, and their positions in the text. */
    private final class Item {
        private final int[][] alternatives;
        private final Places matches = new Places();

        Item(TextPredicate.NearItem item) {
            this.alternatives =
                    item.alternatives().stream()
                            .map(each -> each.stream().mapToInt(NearMatcher.this::number).toArray())
                            .toArray(int[][]::new);
        }

        void find() {
            matches.count = 0;
            for (int[] alternative : alternatives) {
                Places first = places[alternative[0]];
                for (int i = 0; i < first.count; i++) {
                    work.spend(alternative.length, SEARCH_UNITS);
                    if (isPhrase(alternative, first.positions[i])) {
                        matches.add(first.positions[i]);
                    }
                }
            }
            if (alternatives.length > 1) {
                Arrays.sort(matches.positions, 0, matches.count);
            }
        }

        private boolean isPhrase(int[] alternative, int start) {
            for (int i = 1; i < alternative.length; i++) {
                if (starts.has(start + i) || !places[alternative[i]].has(start + i)) {
                    return false;
                }
            }
            return true;
        }

        /**
         * The range may exceed the range of positions, since distances may be as large as the
         * largest {@code int}.
         */
        boolean isBetween(long from, long to) {
            int first = (int) Math.max(0, from);
            int index = Arrays.binarySearch(matches.positions, 0, matches.count, first);
            int next = index < 0 ? -1 - index : index;
            return next < matches.count && matches.positions[next] <= to;
        }
    }

    private int number(TextPattern.Word word) {
        byte[] text = word.text().getBytes(StandardCharsets.UTF_8);
        words.add(text);
        forms.add(word.forms().map(rule -> rule.test(text, work)));
        affixes.add(word.affix());
        return words.size() - 1;
    }

    @Override
    public long weight(MemorySegment bytes, long offset, int length) {
        begin();
        add(bytes, offset, length, 0);
        return isFound() ? 1 : TextKeys.NONE;
    }

    /** Removes all texts. */
    void begin() {
        for (int i = 0; i < places.length; i++) {
            places[i].count = 0;
        }
        starts.count = 0;
        next = 0;
    }

    /**
     * Adds an element.
     *
     * @param gap the number of words added to the distance from the previous element
     */
    void add(MemorySegment bytes, long offset, int length, int gap) {
        int first = next;
        if (first > 0) {
            starts.add(first);
        }
        int looked = Math.min(length, near.mode().maxLength());
        work.spend(looked);
        tokenizer.set(bytes, offset, looked);
        while (tokenizer.next()) {
            work.spend(places.length);
            for (int word = 0; word < places.length; word++) {
                if (fits(word)) {
                    places[word].add(first + tokenizer.position());
                }
            }
        }
        next = (int) Math.min((long) first + tokenizer.position() + 1 + gap, POSITION_MAX);
    }

    /** Adds an element without words. */
    void pass(int gap) {
        next = (int) Math.min((long) next + gap, POSITION_MAX);
    }

    /** Returns whether the added elements match. */
    boolean isFound() {
        for (int i = 0; i < items.size(); i++) {
            items.get(i).find();
            if (items.get(i).matches.count == 0) {
                return false;
            }
        }
        for (int i = 0; i < excluded.size(); i++) {
            excluded.get(i).find();
        }
        return near.ordered() ? isInOrder() : isNear();
    }

    private boolean fits(int word) {
        byte[] text = words.get(word);
        byte[] token = tokenizer.buffer();
        int length = tokenizer.length();
        if (forms.get(word).isPresent()) {
            return forms.get(word).get().fits(token, length);
        }
        if (affixes.get(word) == Affix.SUBSTRING) {
            return RawTextSearch.count(token, length, text, work) > 0;
        }
        int from =
                switch (affixes.get(word)) {
                    case WHOLE -> length == text.length ? 0 : -1;
                    case PREFIX -> 0;
                    case SUFFIX, SUBSTRING -> length - text.length;
                };
        return from >= 0
                && length >= text.length
                && Arrays.equals(text, 0, text.length, token, from, from + text.length);
    }

    /* Moves a window over the positions of all items; the item with the first position moves on. */
    private boolean isNear() {
        Arrays.fill(at, 0);
        while (true) {
            work.spend(at.length);
            int first = 0;
            int low = Integer.MAX_VALUE;
            int high = -1;
            for (int i = 0; i < at.length; i++) {
                int place = items.get(i).matches.positions[at[i]];
                if (place < low) {
                    low = place;
                    first = i;
                }
                high = Math.max(high, place);
            }
            if (high - low <= near.distance() && isFree(low, high)) {
                return true;
            }
            if (++at[first] == items.get(first).matches.count) {
                return false;
            }
        }
    }

    /* For each position of the first item, finds the next position of each later item. */
    private boolean isInOrder() {
        Arrays.fill(at, 0);
        Places firsts = items.getFirst().matches;
        for (int start = 0; start < firsts.count; start++) {
            work.spend(at.length);
            int low = firsts.positions[start];
            int high = low;
            for (int i = 1; i < at.length; i++) {
                Places next = items.get(i).matches;
                while (at[i] < next.count && next.positions[at[i]] <= high) {
                    at[i]++;
                }
                if (at[i] == next.count) {
                    return false;
                }
                high = next.positions[at[i]];
            }
            if (high - low <= near.distance() && isFree(low, high)) {
                return true;
            }
        }
        return false;
    }

    private boolean isFree(int low, int high) {
        work.spend(excluded.size(), SEARCH_UNITS);
        for (int i = 0; i < excluded.size(); i++) {
            if (excluded.get(i)
                    .isBetween(
                            (long) low - near.exclusionDistance(),
                            (long) high + near.exclusionDistance())) {
                return false;
            }
        }
        return true;
    }
}
