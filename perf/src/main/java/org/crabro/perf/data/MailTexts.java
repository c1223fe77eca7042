package org.crabro.perf.data;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;

/**
 * Bodies of mails of about 1 KB, the same ones each time: 56 to 224 words in sentences of nine, out
 * of 60,000 made-up words that are as unevenly common as those of a language. A quarter of the
 * words belongs to one of 400 topics, which four mails in a row share.
 */
public final class MailTexts {
    /** How many different words there are. */
    public static final int WORDS = 60_000;

    private static final int TOPICS = 400;
    private static final int TOPIC_WORDS = 100;
    private static final int COMMON_WORDS = 300;
    private static final int SENTENCE = 9;
    private static final double MEAN_WORDS = 140;
    private static final String CONSONANTS = "bdfgklmnprtvz";
    private static final String VOWELS = "aeiou";
    private static final String LAST_VOWELS = "aou";
    private static final String ENDS = "bkmptnd";

    private final long seed;
    private final List<String> words;
    private final double[] commonness = cumulated(WORDS, 2.7, 1.07);
    private final double[] topicCommonness = cumulated(TOPIC_WORDS, 2, 1);

    public MailTexts(long seed) {
        this.seed = seed;
        this.words = words(seed);
    }

    /** Returns a word, the most common one first. */
    public String word(int rank) {
        return words.get(rank);
    }

    /** Returns the body of a mail in UTF-8. */
    public byte[] body(int mail) {
        long meta = mix(seed ^ mail * 31L);
        int count = (int) (MEAN_WORDS * (0.4 + 1.2 * (meta >>> 8 & 1_023) / 1_023));
        long topic = Long.remainderUnsigned(mix(seed ^ 0x70 ^ mail / 4), TOPICS);
        var text = new StringBuilder(count * 8);
        for (int i = 0; i < count; i++) {
            long hash = mix(meta + i);
            String word = words.get(rank(hash, topic));
            if (i % SENTENCE == 0) {
                text.append(i == 0 ? "" : i % (2 * SENTENCE) == 0 ? ".\n" : ". ");
                text.append(Character.toUpperCase(word.charAt(0))).append(word, 1, word.length());
            } else {
                text.append(' ').append(word);
            }
        }
        return text.append('.').toString().getBytes(UTF_8);
    }

    private int rank(long hash, long topic) {
        if ((hash & 3) != 0) {
            return place(commonness, hash);
        }
        long ofTopic = topic * TOPIC_WORDS + place(topicCommonness, mix(hash));
        return COMMON_WORDS
                + (int) Long.remainderUnsigned(mix(seed ^ ofTopic << 20), WORDS - COMMON_WORDS);
    }

    private static int place(double[] cumulated, long hash) {
        int index = Arrays.binarySearch(cumulated, (hash >>> 11) * 0x1p-53);
        return Math.min(index >= 0 ? index : -index - 1, cumulated.length - 1);
    }

    private static double[] cumulated(int count, double shift, double exponent) {
        double[] sums = new double[count];
        double sum = 0;
        for (int rank = 0; rank < count; rank++) {
            sum += 1 / Math.pow(rank + shift, exponent);
            sums[rank] = sum;
        }
        for (int rank = 0; rank < count; rank++) {
            sums[rank] /= sum;
        }
        return sums;
    }

    /** The commonest 120 words have one syllable, the next 5,880 two, the others three. */
    private static List<String> words(long seed) {
        var distinct = new HashSet<String>();
        var words = new ArrayList<String>(WORDS);
        for (long i = 0; words.size() < WORDS; i++) {
            int rank = words.size();
            long hash = mix(seed ^ 0x77 ^ i << 8) >>> 1;
            int syllables = rank < 120 ? 0 : rank < 6_000 ? 1 : 2;
            var word = new StringBuilder();
            for (int syllable = 0; syllable < syllables; syllable++) {
                hash = letter(CONSONANTS, hash, word);
                hash = letter(VOWELS, hash, word);
            }
            hash = letter(CONSONANTS, hash, word);
            hash = letter(LAST_VOWELS, hash, word);
            letter(ENDS, hash, word);
            if (distinct.add(word.toString())) {
                words.add(word.toString());
            }
        }
        return words;
    }

    private static long letter(String letters, long hash, StringBuilder word) {
        word.append(letters.charAt((int) (hash % letters.length())));
        return hash / letters.length();
    }

    private static long mix(long value) {
        long x = value + 0x9e3779b97f4a7c15L;
        x = (x ^ x >>> 30) * 0xbf58476d1ce4e5b9L;
        x = (x ^ x >>> 27) * 0x94d049bb133111ebL;
        return x ^ x >>> 31;
    }
}
