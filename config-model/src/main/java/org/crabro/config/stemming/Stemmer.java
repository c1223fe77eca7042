package org.crabro.config.stemming;

import static java.util.Map.entry;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.en.KStemFilter;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.tartarus.snowball.SnowballStemmer;
import org.tartarus.snowball.ext.ArabicStemmer;
import org.tartarus.snowball.ext.ArmenianStemmer;
import org.tartarus.snowball.ext.BasqueStemmer;
import org.tartarus.snowball.ext.CatalanStemmer;
import org.tartarus.snowball.ext.DanishStemmer;
import org.tartarus.snowball.ext.DutchStemmer;
import org.tartarus.snowball.ext.EnglishStemmer;
import org.tartarus.snowball.ext.EstonianStemmer;
import org.tartarus.snowball.ext.FinnishStemmer;
import org.tartarus.snowball.ext.FrenchStemmer;
import org.tartarus.snowball.ext.GermanStemmer;
import org.tartarus.snowball.ext.GreekStemmer;
import org.tartarus.snowball.ext.HindiStemmer;
import org.tartarus.snowball.ext.HungarianStemmer;
import org.tartarus.snowball.ext.IndonesianStemmer;
import org.tartarus.snowball.ext.IrishStemmer;
import org.tartarus.snowball.ext.ItalianStemmer;
import org.tartarus.snowball.ext.LithuanianStemmer;
import org.tartarus.snowball.ext.NepaliStemmer;
import org.tartarus.snowball.ext.NorwegianStemmer;
import org.tartarus.snowball.ext.PortugueseStemmer;
import org.tartarus.snowball.ext.RomanianStemmer;
import org.tartarus.snowball.ext.RussianStemmer;
import org.tartarus.snowball.ext.SerbianStemmer;
import org.tartarus.snowball.ext.SpanishStemmer;
import org.tartarus.snowball.ext.SwedishStemmer;
import org.tartarus.snowball.ext.TamilStemmer;
import org.tartarus.snowball.ext.TurkishStemmer;
import org.tartarus.snowball.ext.YiddishStemmer;

/**
 * Reduces words to their stems by the rules of a language. Only this class depends on the stemming
 * libraries. For one thread.
 */
public abstract sealed class Stemmer {
    private static final String ENGLISH = "en";

    private static final Map<String, Supplier<SnowballStemmer>> SNOWBALL =
            Map.ofEntries(
                    entry("ar", ArabicStemmer::new),
                    entry("ca", CatalanStemmer::new),
                    entry("da", DanishStemmer::new),
                    entry("de", GermanStemmer::new),
                    entry("el", GreekStemmer::new),
                    entry(ENGLISH, EnglishStemmer::new),
                    entry("es", SpanishStemmer::new),
                    entry("et", EstonianStemmer::new),
                    entry("eu", BasqueStemmer::new),
                    entry("fi", FinnishStemmer::new),
                    entry("fr", FrenchStemmer::new),
                    entry("ga", IrishStemmer::new),
                    entry("hi", HindiStemmer::new),
                    entry("hu", HungarianStemmer::new),
                    entry("hy", ArmenianStemmer::new),
                    entry("id", IndonesianStemmer::new),
                    entry("it", ItalianStemmer::new),
                    entry("lt", LithuanianStemmer::new),
                    entry("nb", NorwegianStemmer::new),
                    entry("ne", NepaliStemmer::new),
                    entry("nl", DutchStemmer::new),
                    entry("nn", NorwegianStemmer::new),
                    entry("no", NorwegianStemmer::new),
                    entry("pt", PortugueseStemmer::new),
                    entry("ro", RomanianStemmer::new),
                    entry("ru", RussianStemmer::new),
                    entry("sr", SerbianStemmer::new),
                    entry("sv", SwedishStemmer::new),
                    entry("ta", TamilStemmer::new),
                    entry("tr", TurkishStemmer::new),
                    entry("yi", YiddishStemmer::new));

    /** Languages whose rules may remove a prefix. */
    private static final Set<String> CUTS_BEGINNINGS =
            Set.of("ar", "ga", "hi", "id", "nl", "sr", "ta", "yi");

    /** Returns whether a language is supported. */
    public static boolean knows(String language) {
        return SNOWBALL.containsKey(language);
    }

    /** Returns whether a word and its stem always start with the same character. */
    public static boolean keepsBeginnings(String language) {
        return !CUTS_BEGINNINGS.contains(language);
    }

    /** Returns all stemmers for a language, the best first. */
    public static List<Stemmer> all(String language) {
        var all = new ArrayList<Stemmer>();
        if (language.equals(ENGLISH)) {
            all.add(new Dictionary());
        }
        all.add(new Rules(Objects.requireNonNull(SNOWBALL.get(language)).get()));
        return all;
    }

    /**
     * Stems a word.
     *
     * @param word the first {@code length} characters are the word; they may be overwritten
     */
    public abstract void stem(char[] word, int length);

    /** Returns an array with the stem of the last word, from index 0 on. */
    public abstract char[] buffer();

    /** Returns the number of characters of the stem. */
    public abstract int length();

    /** Stems by rules for suffixes. */
    private static final class Rules extends Stemmer {
        private final SnowballStemmer rules;

        Rules(SnowballStemmer rules) {
            this.rules = rules;
        }

        @Override
        public void stem(char[] word, int length) {
            rules.setCurrent(word, length);
            rules.stem();
        }

        @Override
        public char[] buffer() {
            return rules.getCurrentBuffer();
        }

        @Override
        public int length() {
            return rules.getCurrentBufferLength();
        }
    }

    /** Stems English by rules for suffixes and a dictionary of permitted stems. */
    private static final class Dictionary extends Stemmer {
        private final CharTermAttribute term;
        private final KStemFilter filter;

        Dictionary() {
            var word = new OneWord();
            this.filter = new KStemFilter(word);
            this.term = filter.getAttribute(CharTermAttribute.class);
        }

        /** A token stream of one word, which is set from outside. */
        private static final class OneWord extends TokenStream {
            OneWord() {
                addAttribute(CharTermAttribute.class);
            }

            @Override
            public boolean incrementToken() {
                return true;
            }
        }

        @Override
        public void stem(char[] word, int length) {
            term.copyBuffer(word, 0, length);
            try {
                filter.incrementToken();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public char[] buffer() {
            return term.buffer();
        }

        @Override
        public int length() {
            return term.length();
        }
    }
}
