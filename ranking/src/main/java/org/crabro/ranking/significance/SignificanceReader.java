package org.crabro.ranking.significance;

import com.github.luben.zstd.ZstdInputStream;
import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Reads models from JSON, plain or compressed by Zstandard:
 *
 * <pre>{@code
 * {
 *   "version": "1.0", "id": "mails", "description": "words of mails",
 *   "languages": {
 *     "en": {"description": "…", "document-count": 1000, "document-frequencies": {"a": 900, "cat": 3}}
 *   }
 * }
 * }</pre>
 *
 * <p>One object may be of several languages: {@code "en,un"}. Members of other names are left out.
 */
public final class SignificanceReader {
    /** A file's bytes, uncompressed. */
    public static final long MAX_BYTES = 256L << 20;

    /** The words of a file, all languages together. */
    public static final int MAX_WORDS = 5_000_000;

    private static final int[] ZSTANDARD = {0x28, 0xb5, 0x2f, 0xfd};

    private final SignificanceJson json;
    private int words;

    private SignificanceReader(SignificanceJson json) {
        this.json = json;
    }

    /**
     * Reads a file to its end.
     *
     * @throws InvalidSignificanceException if it is not a valid model, or exceeds a limit
     * @throws IOException if it cannot be read
     */
    public static SignificanceModels read(InputStream file) throws IOException {
        var buffered = new BufferedInputStream(file);
        InputStream plain = isCompressed(buffered) ? new ZstdInputStream(buffered) : buffered;
        try (var json = new SignificanceJson(new Bounded(plain))) {
            return new SignificanceReader(json).models();
        }
    }

    private static boolean isCompressed(InputStream file) throws IOException {
        file.mark(ZSTANDARD.length);
        boolean is = true;
        for (int expected : ZSTANDARD) {
            is &= file.read() == expected;
        }
        file.reset();
        return is;
    }

    private SignificanceModels models() {
        json.next();
        json.requireObject("a significance model");
        Map<String, SignificanceModel> models = null;
        while (json.nextMember()) {
            switch (json.member()) {
                case "version" -> version();
                case "languages" -> models = languages();
                default -> json.skip();
            }
        }
        if (models == null) {
            throw json.problem("expected languages in a significance model");
        }
        json.requireEnd();
        return new SignificanceModels(models);
    }

    /** Checks the version, because the same names may have another meaning in other versions. */
    private void version() {
        String version = json.scalar("a version such as 1.0");
        if (!version.matches("1(\\..*)?")) {
            throw json.problem("expected version 1.0 but found " + version);
        }
    }

    private Map<String, SignificanceModel> languages() {
        json.requireObject("languages");
        var models = new HashMap<String, SignificanceModel>();
        while (json.nextMember()) {
            String tags = json.member();
            SignificanceModel model = null;
            for (String each : tags.split(",", -1)) {
                String tag = each.strip().toLowerCase(Locale.ROOT).replace('_', '-');
                if (tag.isEmpty()) {
                    throw json.problem("expected the tag of a language but found '" + tags + "'");
                }
                model = model == null ? model(tag) : model.as(tag);
                if (models.put(tag, model) != null) {
                    throw json.problem("language '" + tag + "' is declared twice");
                }
            }
        }
        return models;
    }

    private SignificanceModel model(String language) {
        json.requireObject("the words of '" + language + "'");
        long documents = 0;
        WordCounts counts = null;
        while (json.nextMember()) {
            switch (json.member()) {
                case "document-count" -> documents = json.count("document-count", 1);
                case "document-frequencies" -> counts = counts(language);
                default -> json.skip();
            }
        }
        if (documents == 0) {
            throw json.problem("language '%s' needs document-count".formatted(language));
        }
        if (counts == null) {
            throw json.problem("language '%s' needs document-frequencies".formatted(language));
        }
        if (counts.largest() > documents) {
            throw json.problem(
                    "a word of '%s' is in %d documents, which is more than its document-count, %d"
                            .formatted(language, counts.largest(), documents));
        }
        return new SignificanceModel(language, documents, counts);
    }

    private WordCounts counts(String language) {
        json.requireObject("document-frequencies");
        var counts = new WordCounts();
        while (json.nextMember()) {
            String word = json.member();
            if (++words > MAX_WORDS) {
                throw json.problem("more than %,d words".formatted(MAX_WORDS));
            }
            if (!counts.add(word, json.count(word, 0))) {
                throw json.problem("'%s' is declared twice in '%s'".formatted(word, language));
            }
        }
        counts.trim();
        return counts;
    }

    /** A small file may unpack to a large one. */
    private static final class Bounded extends FilterInputStream {
        private long left = MAX_BYTES;

        Bounded(InputStream file) {
            super(file);
        }

        @Override
        public int read() throws IOException {
            int read = super.read();
            take(read < 0 ? 0 : 1);
            return read;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            int read = super.read(into, offset, length);
            take(Math.max(0, read));
            return read;
        }

        private void take(int count) {
            left -= count;
            if (left < 0) {
                throw new InvalidSignificanceException(
                        "more than %,d bytes, uncompressed".formatted(MAX_BYTES));
            }
        }
    }
}
