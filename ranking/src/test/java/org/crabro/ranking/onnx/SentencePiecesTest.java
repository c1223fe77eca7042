package org.crabro.ranking.onnx;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.crabro.ranking.onnx.Embedder.Purpose;
import org.crabro.ranking.onnx.SentencePieceSettings.Scoring;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.TensorType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SentencePiecesTest {
    private static final int NORMAL = 1;
    private static final int UNKNOWN = 2;
    private static final int CONTROL = 3;
    private static final int USER_DEFINED = 4;
    private static final int UNUSED = 5;

    @TempDir private Path folder;
    private Path file;

    @BeforeEach
    void write() throws IOException {
        var model = new ByteArrayOutputStream();
        piece(model, "<unk>", 0, UNKNOWN);
        piece(model, "<s>", 0, CONTROL);
        piece(model, "▁", -4, NORMAL);
        piece(model, "▁he", -2, NORMAL);
        piece(model, "llo", -2, NORMAL);
        piece(model, "▁hello", -5, NORMAL);
        piece(model, "l", -3, NORMAL);
        piece(model, "o", -3, NORMAL);
        piece(model, "▁😀", -1, USER_DEFINED);
        piece(model, "▁h", -1, UNUSED);
        // Other fields of the format: a message, a 64-bit number and a varint.
        part(model, 2, new byte[] {1, 2, 3});
        model.write(3 << 3 | 1);
        model.writeBytes(new byte[8]);
        model.write(4 << 3);
        model.writeBytes(new byte[] {(byte) 0x80, 1});
        file = Files.write(folder.resolve("m.model"), model.toByteArray());
    }

    @ParameterizedTest
    @CsvSource({
        "hello, HIGHEST_SCORE, true, 3 4",
        "hello, FEWEST_SEGMENTS, true, 5",
        "'  hello\t\nhello ', HIGHEST_SCORE, true, 3 4 3 4",
        "he, HIGHEST_SCORE, true, 3",
        "lo, HIGHEST_SCORE, true, 2 6 7",
        "helxyo, HIGHEST_SCORE, true, 3 6 0 7",
        "helxyo, HIGHEST_SCORE, false, 3 6 0 0 7",
        "😀, HIGHEST_SCORE, true, 8",
        "o😁o, HIGHEST_SCORE, false, 2 7 0 7",
        "<s>, HIGHEST_SCORE, true, 2 0",
        "'', HIGHEST_SCORE, true, ''",
        "' ', HIGHEST_SCORE, true, ''",
    })
    void cutsTextsIntoPieces(String text, Scoring scoring, boolean collapses, String ids) {
        assertThat(
                        Arrays.stream(SentencePieces.read(file).ids(text, scoring, collapses))
                                .mapToObj(Long::toString)
                                .collect(Collectors.joining(" ")))
                .isEqualTo(ids);
    }

    @Test
    void fillsTensorsWithTheNumbersOfPieces() {
        TensorType type = TensorType.parse("tensor<float>(x[4])");
        try (Embedder embedder =
                new SentencePieceSettings(file, Scoring.HIGHEST_SCORE, true).open()) {
            assertThat(embedder.embed("hello", Purpose.DOCUMENT, type))
                    .isEqualTo(DenseTensor.of(type, new double[] {3, 4, 0, 0}));
        }
    }

    @Test
    void saysWhatIsWrongWithAModel() throws IOException {
        rejects(folder.resolve("none.model"), "There is no SentencePiece model");
        rejects(
                Files.writeString(folder.resolve("text.model"), "no model"),
                "text.model cannot be read: ");
        rejects(Files.write(folder.resolve("empty.model"), new byte[0]), "has no pieces of text");
        byte[] bytes = Files.readAllBytes(file);
        rejects(
                Files.write(folder.resolve("cut.model"), Arrays.copyOf(bytes, 20)),
                "cut.model cannot be read: ");
    }

    private static void rejects(Path model, String message) {
        assertThatExceptionOfType(InvalidModelException.class)
                .isThrownBy(() -> SentencePieces.read(model))
                .withMessageContaining(message);
    }

    private static void piece(ByteArrayOutputStream model, String text, float score, int type) {
        var piece = new ByteArrayOutputStream();
        part(piece, 1, text.getBytes(UTF_8));
        piece.write(2 << 3 | 5);
        piece.writeBytes(
                ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putFloat(score).array());
        if (type != NORMAL) {
            piece.write(3 << 3);
            piece.write(type);
        }
        part(model, 1, piece.toByteArray());
    }

    private static void part(ByteArrayOutputStream out, int field, byte[] bytes) {
        out.write(field << 3 | 2);
        out.write(bytes.length);
        out.writeBytes(bytes);
    }
}
