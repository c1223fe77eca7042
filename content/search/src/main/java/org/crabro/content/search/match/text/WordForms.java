package org.crabro.content.search.match.text;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.crabro.config.schema.Stemming;
import org.crabro.config.stemming.Stemmer;
import org.crabro.text.Utf8;

/**
 * Decides whether tokens are forms of one word. Tokens and the word are folded in the same way
 * before they are stemmed. The memory is reused for every token. For one thread.
 */
final class WordForms implements TokenMatcher {
    /** The maximum length in bytes of a word that has other forms. */
    private static final int LENGTH_MAX = 64;

    private final byte[] word;
    private final StemRule rule;
    private final int beginning;
    private final List<Stemmer> stemmers;
    private final List<char[]> stems = new ArrayList<>();
    private final char[] token = new char[LENGTH_MAX];

    /** Twice as long, because a stem may be longer than its word. */
    private final char[] changed = new char[2 * LENGTH_MAX];

    /**
     * @param word folded, not empty
     */
    WordForms(byte[] word, StemRule rule) {
        this.word = word;
        this.rule = rule;
        boolean keeps = Stemmer.keepsBeginnings(rule.language());
        this.beginning = keeps ? Utf8.length(Utf8.decode(word, 0, word.length)) : 0;
        List<Stemmer> all = Stemmer.all(rule.language());
        this.stemmers = rule.stemming() == Stemming.BEST ? List.of(all.getFirst()) : all;
        if (word.length <= LENGTH_MAX) {
            stem(word, word.length);
            if (rule.stemming() == Stemming.SHORTEST) {
                stems.add(copy(shortest()));
            } else {
                stemmers.forEach(stemmer -> stems.add(copy(stemmer)));
            }
        }
    }

    @Override
    public byte[] beginning() {
        return Arrays.copyOf(word, beginning);
    }

    @Override
    public boolean fits(byte[] text, int length) {
        if (Arrays.equals(text, 0, length, word, 0, word.length)) {
            return true;
        }
        if (stems.isEmpty()
                || length > LENGTH_MAX
                || length < beginning
                || !Arrays.equals(text, 0, beginning, word, 0, beginning)) {
            return false;
        }
        stem(text, length);
        return switch (rule.stemming()) {
            case SHORTEST -> isStem(shortest());
            case NONE, BEST, MULTIPLE -> isAnyStem();
        };
    }

    private void stem(byte[] text, int length) {
        int count = 0;
        for (int at = 0; at < length; ) {
            int decoded = Utf8.decode(text, at, length);
            count += Character.toChars(Utf8.codePoint(decoded), token, count);
            at += Utf8.length(decoded);
        }
        for (int i = 0; i < stemmers.size(); i++) {
            // All stemmers but the first, of which there is at most one, stem the word in place.
            System.arraycopy(token, 0, changed, 0, count);
            stemmers.get(i).stem(changed, count);
        }
    }

    private Stemmer shortest() {
        Stemmer shortest = stemmers.getFirst();
        for (int i = 1; i < stemmers.size(); i++) {
            if (stemmers.get(i).length() < shortest.length()) {
                shortest = stemmers.get(i);
            }
        }
        return shortest;
    }

    private boolean isAnyStem() {
        for (int i = 0; i < stemmers.size(); i++) {
            if (isStem(stemmers.get(i))) {
                return true;
            }
        }
        return false;
    }

    private boolean isStem(Stemmer stemmer) {
        for (int i = 0; i < stems.size(); i++) {
            char[] stem = stems.get(i);
            if (Arrays.equals(stem, 0, stem.length, stemmer.buffer(), 0, stemmer.length())) {
                return true;
            }
        }
        return false;
    }

    private static char[] copy(Stemmer stemmer) {
        return Arrays.copyOf(stemmer.buffer(), stemmer.length());
    }
}
