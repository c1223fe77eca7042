package org.crabro.ranking.onnx;

import ai.djl.huggingface.tokenizers.Encoding;
import ai.djl.huggingface.tokenizers.HuggingFaceTokenizer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.OptionalInt;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Cuts text into the tokens of a model, those that mark its start and end included. Safe for use by
 * many threads.
 */
final class TextTokenizer implements AutoCloseable {
    static {
        NativeLibraries.stayOffline();
    }

    private final HuggingFaceTokenizer tokenizer;

    private TextTokenizer(HuggingFaceTokenizer tokenizer) {
        this.tokenizer = tokenizer;
    }

    /**
     * Reads a tokenizer.
     *
     * @param file a {@code tokenizer.json}
     * @param maxTokens where the file sets no limit itself, texts are cut to this many tokens
     * @throws InvalidModelException if the file is missing or is no tokenizer
     */
    static TextTokenizer open(Path file, int maxTokens) {
        if (!Files.isRegularFile(file)) {
            throw new InvalidModelException("There is no tokenizer file " + file);
        }
        try {
            int limit = ownLimit(file).orElse(maxTokens);
            return new TextTokenizer(HuggingFaceTokenizer.newInstance(file, options(limit)));
        } catch (IOException | RuntimeException e) {
            // The native part throws no more precise exception for unknown content.
            throw new InvalidModelException(
                    "Tokenizer file " + file + " cannot be read: " + e.getMessage(), e);
        }
    }

    /**
     * Reads the vocabulary of a model of the BERT family.
     *
     * @param file a {@code vocab.txt}
     * @param maxTokens texts are cut to this many tokens
     * @throws InvalidModelException if the file is missing, is not a vocabulary or lacks such
     *     tokens
     */
    static TextTokenizer ofWordPieces(
            Path file, HuggingFaceSettings.SpecialTokens special, int maxTokens) {
        if (!Files.isRegularFile(file)) {
            throw new InvalidModelException("There is no vocabulary file " + file);
        }
        try {
            byte[] json = WordPieces.read(file).json(special.start(), special.end());
            return new TextTokenizer(
                    HuggingFaceTokenizer.newInstance(
                            new ByteArrayInputStream(json), options(maxTokens)));
        } catch (InvalidModelException e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            throw new InvalidModelException(
                    "Vocabulary file " + file + " cannot be read: " + e.getMessage(), e);
        }
    }

    private static Map<String, String> options(int limit) {
        return Map.of(
                "padding",
                "false",
                "truncation",
                "true",
                "maxLength",
                Integer.toString(limit),
                // Or the library warns, and cuts at 512.
                "modelMaxLength",
                Integer.toString(limit));
    }

    /** The limit in the file: DJL does not distinguish it from its own default. */
    private static OptionalInt ownLimit(Path file) {
        try (JsonParser json = new JsonFactory().createParser(ObjectReadContext.empty(), file)) {
            json.nextToken();
            while (json.nextToken() == JsonToken.PROPERTY_NAME) {
                boolean isTruncation = json.currentName().equals("truncation");
                if (json.nextToken() == JsonToken.START_OBJECT && isTruncation) {
                    return limit(json);
                }
                json.skipChildren();
            }
            return OptionalInt.empty();
        }
    }

    private static OptionalInt limit(JsonParser json) {
        int limit = 0;
        boolean cutsLongest = false;
        while (json.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = json.currentName();
            json.nextToken();
            switch (name) {
                case "max_length" -> limit = json.getIntValue();
                case "strategy" -> cutsLongest = json.getString().equals("LongestFirst");
                default -> json.skipChildren();
            }
        }
        return limit > 0 && cutsLongest ? OptionalInt.of(limit) : OptionalInt.empty();
    }

    /** Returns the tokens of {@code text}, not padded. */
    Encoding tokens(String text) {
        return tokens(text, true);
    }

    /**
     * Returns the tokens of {@code text}, not padded.
     *
     * @param withSpecial whether those that mark its start and end are among them
     */
    Encoding tokens(String text, boolean withSpecial) {
        return tokenizer.encode(text, withSpecial, false);
    }

    /** Returns the token numbered {@code id}. */
    String text(long id) {
        return tokenizer.decode(new long[] {id}, false);
    }

    @Override
    public void close() {
        tokenizer.close();
    }
}
