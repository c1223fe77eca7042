package org.crabro.perf.search;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.crabro.content.storage.block.token.TokenizedTexts;
import org.crabro.content.storage.layout.ChunkExtent.Part;
import org.crabro.perf.data.CompressedTexts;
import org.crabro.perf.data.MailTexts;
import org.crabro.perf.harness.Benchmark;
import org.crabro.perf.harness.Figures;
import org.crabro.text.Tokenizer;

/**
 * Words in the mails of one group, in process and on one thread, warm: searched by tokens, by
 * tokenizing, and by decompressing and scanning the same texts. Times are processor time of that
 * thread, since others may be at work on the machine.
 */
public final class TextBenchmark implements Benchmark {
    private static final int MAILS = 10_000;
    private static final long SEED = 2026;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /** The number of mails in 1,000 that contain the searched words. */
    private static final int[] PER_MILLE = {200, 50, 9, 1};

    @Override
    public String name() {
        return "text";
    }

    @Override
    public String summary() {
        return "words in %,d mails of 1 KB, against decompressing and scanning them"
                .formatted(MAILS);
    }

    @Override
    public Prepared prepare(Path folder) {
        var mails = new MailTexts(SEED);
        List<byte[]> texts = new ArrayList<>();
        for (int mail = 0; mail < MAILS; mail++) {
            texts.add(mails.body(mail));
        }
        var measured = new Measured(texts, words(texts));
        for (int i = 0; i < 5; i++) {
            measured.measure(new Figures());
        }
        return measured;
    }

    /** A word and the number of mails that contain it. */
    private record Word(String text, int mails) {}

    /** Returns the words whose frequencies are nearest to {@link #PER_MILLE}. */
    private static List<Word> words(List<byte[]> texts) {
        Map<String, Integer> counts = new HashMap<>();
        for (byte[] text : texts) {
            var words = new HashSet<>(Tokenizer.tokens(new String(text, UTF_8)));
            words.forEach(word -> counts.merge(word, 1, Integer::sum));
        }
        return Arrays.stream(PER_MILLE)
                .mapToObj(perMille -> {
                    int wanted = MAILS * perMille / 1_000;
                    return counts.entrySet().stream()
                            .map(word -> new Word(word.getKey(), word.getValue()))
                            .min((left, right) -> {
                                int nearer =
                                        Integer.compare(
                                                Math.abs(left.mails() - wanted),
                                                Math.abs(right.mails() - wanted));
                                return nearer != 0 ? nearer : left.text().compareTo(right.text());
                            })
                            .orElseThrow();
                })
                .toList();
    }

    private static final class Measured implements Prepared {
        private final List<byte[]> texts;
        private final List<Word> words;
        private final long textBytes;
        private final CompressedTexts compressed;
        private final MailSearch tokens;
        private final MailSearch noTokens;
        private final TokenizedTexts tokenizing = new TokenizedTexts();

        Measured(List<byte[]> texts, List<Word> words) {
            this.texts = texts;
            this.words = words;
            this.textBytes = texts.stream().mapToLong(text -> text.length).sum();
            this.compressed = new CompressedTexts(texts);
            this.tokens = new MailSearch(texts, true);
            this.noTokens = new MailSearch(texts, false);
        }

        @Override
        public void measure(Figures figures) {
            for (int i = 0; i < words.size(); i++) {
                measure(figures, words.get(i), PER_MILLE[i] / 10.0);
            }
            double nanos = nanos(3, () -> tokenizing.write(texts));
            figures.add("tokenizing", "MB/s", textBytes * 1e3 / nanos);
            sizes(figures);
        }

        private void measure(Figures figures, Word word, double percent) {
            byte[] target = word.text().getBytes(UTF_8);
            String what = "word in %.1f %% of mails: ".formatted(percent);
            double scanned = nanos(4, () -> compressed.count(target));
            double nanosPerSearch =
                    nanos(100, () -> find(tokens, word, MailSearch.Profile.UNRANKED));
            double ranked = nanos(100, () -> find(tokens, word, MailSearch.Profile.BM25));
            double tokenized = nanos(1, () -> find(noTokens, word, MailSearch.Profile.UNRANKED));
            figures.add(what + "decompress and scan", "us", scanned / 1e3);
            figures.add(what + "search", "us", nanosPerSearch / 1e3);
            figures.add(what + "search by bm25", "us", ranked / 1e3);
            figures.add(what + "search, tokenizing", "us", tokenized / 1e3);
            figures.add(what + "scan over search", "", scanned / nanosPerSearch);
            figures.add(what + "scan over search by bm25", "", scanned / ranked);
        }

        private static long find(MailSearch mails, Word word, MailSearch.Profile profile) {
            long hits = mails.find(word.text(), profile).totalCount();
            if (hits != word.mails()) {
                throw new IllegalStateException(
                        "%d mails with %s instead of %d"
                                .formatted(hits, word.text(), word.mails()));
            }
            return hits;
        }

        private void sizes(Figures figures) {
            double values = tokens.bytes(Part.VALUES);
            double dictionary = tokens.bytes(Part.TOKEN_DICTIONARY);
            double numbers = tokens.bytes(Part.TOKEN_NUMBERS);
            figures.add("texts", "MB", textBytes / 1e6);
            figures.add("texts compressed", "MB", values / 1e6);
            figures.add("dictionaries", "MB", dictionary / 1e6);
            figures.add("numbers", "MB", numbers / 1e6);
            figures.add("all over texts compressed", "", (values + dictionary + numbers) / values);
        }

        /** Returns the least processor time of a few runs: others cut into the longer ones. */
        private static double nanos(int times, LongSupplier work) {
            long least = Long.MAX_VALUE;
            long sum = 0;
            for (int i = 0; i < times + 2; i++) {
                long start = THREADS.getCurrentThreadCpuTime();
                sum += work.getAsLong();
                least = Math.min(least, THREADS.getCurrentThreadCpuTime() - start);
            }
            if (sum < 0) {
                throw new IllegalStateException("a count below 0");
            }
            return least;
        }

        @Override
        public void close() {
            tokens.close();
            noTokens.close();
        }
    }
}
