package org.crabro.ranking.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.crabro.ranking.onnx.Embedder.Purpose;
import org.crabro.tensor.TensorType;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Numbers of tokens as vectors, by the tokenizer of a real model. */
class TokenIdEmbedderTest {
    private static final String TEXT = "Hello world, this is Crabro!";
    private static final double[] WHOLE = {
        101, 7592, 2088, 1010, 2023, 2003, 18081, 3217, 999, 102
    };

    @TempDir private static Path folder;

    private static Path tokenizer;

    @BeforeAll
    static void unpack() throws IOException {
        tokenizer = MiniLmTokenizer.in(folder);
    }

    @Test
    void fillsAVectorWithNumbersAndZeros() {
        double[] padded = new double[12];
        System.arraycopy(WHOLE, 0, padded, 0, WHOLE.length);

        assertThat(cells(true, 12, TEXT)).containsExactly(padded);
        assertThat(cells(true, 3, TEXT)).containsExactly(101, 7592, 2088);
        assertThat(cells(true, 3, "")).containsExactly(101, 102, 0);
    }

    @Test
    void leavesTheMarksOut() {
        assertThat(cells(false, 4, "Hello world")).containsExactly(7592, 2088, 0, 0);
    }

    @Test
    void refusesTypesThatNumbersDoNotFit() {
        try (Embedder embedder = new TokenizerSettings(tokenizer, true, 512).open()) {
            for (String type :
                    List.of(
                            "tensor<int8>(x[4])",
                            "tensor<bfloat16>(x[4])",
                            "tensor<float>(x[4],y[4])",
                            "tensor<float>(x{})")) {
                assertThatIllegalArgumentException()
                        .as(type)
                        .isThrownBy(() -> embedder.check(TensorType.parse(type)))
                        .withMessageStartingWith("numbers of tokens need ");
            }
        }
    }

    @Test
    void saysWhatIsWrongWithTheFile() throws IOException {
        Path broken = Files.writeString(folder.resolve("broken.json"), "{}");

        assertThatExceptionOfType(InvalidModelException.class)
                .isThrownBy(() -> new TokenizerSettings(broken, true, 512).open())
                .withMessageContaining("broken.json");
    }

    private static double[] cells(boolean withMarks, int size, String text) {
        TensorType type = TensorType.parse("tensor<float>(x[%d])".formatted(size));
        try (Embedder embedder = new TokenizerSettings(tokenizer, withMarks, 512).open()) {
            var tensor = embedder.embed(text, Purpose.DOCUMENT, type);
            double[] cells = new double[size];
            for (int i = 0; i < size; i++) {
                cells[i] = tensor.cell(i);
            }
            return cells;
        }
    }
}
