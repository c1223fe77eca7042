package org.crabro.ranking.onnx;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * The vocabulary of a model of the BERT family, a {@code vocab.txt}. Each line is a piece of a
 * word, and the number of the line is the token. It is converted to an equivalent {@code
 * tokenizer.json}: letters become lower case and lose their accents, words are split at blanks and
 * punctuation, then into the longest pieces.
 */
final class WordPieces {
    private static final String UNKNOWN = "[UNK]";
    private static final String CONTINUING = "##";

    /** Longer words count as unknown. */
    private static final int WORD_LENGTH_MAX = 100;

    private final Path file;
    private final List<String> pieces;

    private WordPieces(Path file, List<String> pieces) {
        this.file = file;
        this.pieces = pieces;
    }

    /**
     * @throws InvalidModelException if the file is no vocabulary
     * @throws IOException if it cannot be read
     */
    static WordPieces read(Path file) throws IOException {
        var pieces = new WordPieces(file, Files.readAllLines(file));
        if (!pieces.pieces.contains(UNKNOWN)) {
            throw new InvalidModelException(
                    "Vocabulary "
                            + file
                            + " has no piece "
                            + UNKNOWN
                            + ": expected a piece of a word in each line, as in vocab.txt");
        }
        return pieces;
    }

    /**
     * Returns the text of a {@code tokenizer.json}.
     *
     * @param start the token before a text
     * @param end the token after it
     * @throws InvalidModelException if the vocabulary lacks these tokens
     */
    byte[] json(int start, int end) {
        var bytes = new ByteArrayOutputStream();
        try (JsonGenerator json =
                new JsonFactory().createGenerator(ObjectWriteContext.empty(), bytes)) {
            json.writeStartObject();
            json.writeStringProperty("version", "1.0");
            json.writeNullProperty("truncation");
            json.writeNullProperty("padding");
            added(json, start, end);
            json.writeObjectPropertyStart("normalizer");
            json.writeStringProperty("type", "BertNormalizer");
            json.writeBooleanProperty("clean_text", true);
            json.writeBooleanProperty("handle_chinese_chars", true);
            json.writeBooleanProperty("strip_accents", true);
            json.writeBooleanProperty("lowercase", true);
            json.writeEndObject();
            json.writeObjectPropertyStart("pre_tokenizer");
            json.writeStringProperty("type", "BertPreTokenizer");
            json.writeEndObject();
            around(json, start, end);
            json.writeNullProperty("decoder");
            json.writeObjectPropertyStart("model");
            json.writeStringProperty("type", "WordPiece");
            json.writeStringProperty("unk_token", UNKNOWN);
            json.writeStringProperty("continuing_subword_prefix", CONTINUING);
            json.writeNumberProperty("max_input_chars_per_word", WORD_LENGTH_MAX);
            json.writeObjectPropertyStart("vocab");
            for (int i = 0; i < pieces.size(); i++) {
                json.writeNumberProperty(pieces.get(i), i);
            }
            json.writeEndObject();
            json.writeEndObject();
            json.writeEndObject();
        }
        return bytes.toByteArray();
    }

    private String piece(int token) {
        if (token >= pieces.size()) {
            throw new InvalidModelException(
                    "Vocabulary %s has %d pieces, but token %d is asked for"
                            .formatted(file, pieces.size(), token));
        }
        return pieces.get(token);
    }

    /** Writes the special tokens, which no text produces, even if it contains their names. */
    private void added(JsonGenerator json, int start, int end) {
        json.writeArrayPropertyStart("added_tokens");
        for (int token : new int[] {start, end}) {
            json.writeStartObject();
            json.writeNumberProperty("id", token);
            json.writeStringProperty("content", piece(token));
            json.writeBooleanProperty("single_word", false);
            json.writeBooleanProperty("lstrip", false);
            json.writeBooleanProperty("rstrip", false);
            json.writeBooleanProperty("normalized", false);
            json.writeBooleanProperty("special", true);
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private void around(JsonGenerator json, int start, int end) {
        json.writeObjectPropertyStart("post_processor");
        json.writeStringProperty("type", "TemplateProcessing");
        json.writeArrayPropertyStart("single");
        part(json, "SpecialToken", piece(start));
        part(json, "Sequence", "A");
        part(json, "SpecialToken", piece(end));
        json.writeEndArray();
        // The format of the file requires a form for two texts, which is not used.
        json.writeArrayPropertyStart("pair");
        part(json, "Sequence", "A");
        part(json, "Sequence", "B");
        json.writeEndArray();
        json.writeObjectPropertyStart("special_tokens");
        for (int token : new int[] {start, end}) {
            json.writeObjectPropertyStart(piece(token));
            json.writeStringProperty("id", piece(token));
            json.writeArrayPropertyStart("ids");
            json.writeNumber(token);
            json.writeEndArray();
            json.writeArrayPropertyStart("tokens");
            json.writeString(piece(token));
            json.writeEndArray();
            json.writeEndObject();
        }
        json.writeEndObject();
        json.writeEndObject();
    }

    private static void part(JsonGenerator json, String kind, String id) {
        json.writeStartObject();
        json.writeObjectPropertyStart(kind);
        json.writeStringProperty("id", id);
        json.writeNumberProperty("type_id", 0);
        json.writeEndObject();
        json.writeEndObject();
    }
}
