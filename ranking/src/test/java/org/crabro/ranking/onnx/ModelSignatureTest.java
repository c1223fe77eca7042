package org.crabro.ranking.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ModelSignatureTest {
    @TempDir private Path directory;

    @Test
    void returnsInputsAndOutputsOfAModel() throws IOException {
        byte[] graph =
                joined(
                        part(1, part(3, text("node"))),
                        part(
                                5,
                                joined(
                                        number(2, 1),
                                        part(8, text("weights")),
                                        part(9, new byte[9]))),
                        part(11, joined(part(1, text("input_ids")), part(2, new byte[300]))),
                        part(11, part(1, text("weights"))),
                        part(12, part(1, text("scores"))));

        ModelSignature signature = ModelSignature.read(file(joined(number(1, 8), part(7, graph))));

        assertThat(signature.inputs()).containsExactly("input_ids");
        assertThat(signature.outputs()).containsExactly("scores");
        assertThat(signature.hasExternalData()).isFalse();
    }

    @Test
    void reportsWeightsInOtherFiles() throws IOException {
        byte[] weights = joined(part(8, text("w")), part(13, part(1, text("location"))));
        byte[] graph = joined(part(5, weights), part(12, part(1, text("out"))));

        assertThat(ModelSignature.read(file(part(7, graph))).hasExternalData()).isTrue();
    }

    @Test
    void refusesWhatIsNoModel() throws IOException {
        for (String text : new String[] {"", "{\"a\": 1}", "no model at all, but a text"}) {
            Path file = file(text.getBytes(StandardCharsets.UTF_8));

            assertThatThrownBy(() -> ModelSignature.read(file))
                    .as(text)
                    .isInstanceOf(InvalidModelException.class)
                    .hasMessageContaining("model.onnx is no ONNX model");
        }
    }

    @Test
    void refusesDamageWithWords() throws IOException {
        long seed = Long.getLong("crabro.seed", 20_26);
        var random = new Random(seed);
        byte[] model =
                part(7, joined(part(11, part(1, text("in"))), part(12, part(1, text("out")))));
        for (int i = 0; i < 500; i++) {
            byte[] damaged = Arrays.copyOf(model, random.nextInt(model.length + 5));
            if (damaged.length > 0) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
            }
            Path file = file(damaged);
            try {
                assertThat(ModelSignature.read(file).outputs()).isNotEmpty();
            } catch (InvalidModelException e) {
                assertThat(e.getMessage()).as("seed %d, round %d", seed, i).contains("ONNX");
            }
        }
    }

    private Path file(byte[] bytes) throws IOException {
        return Files.write(directory.resolve("model.onnx"), bytes);
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] number(int field, int value) {
        return new byte[] {(byte) (field << 3), (byte) value};
    }

    private static byte[] part(int field, byte[] bytes) {
        var out = new ByteArrayOutputStream();
        out.write((field << 3) | 2);
        int length = bytes.length;
        while (length >= 0x80) {
            out.write((length & 0x7F) | 0x80);
            length >>>= 7;
        }
        out.write(length);
        out.writeBytes(bytes);
        return out.toByteArray();
    }

    private static byte[] joined(byte[]... parts) {
        var out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }
}
