package org.crabro.client.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ModelDirectoryTest {
    private static final int LARGE = 100_000;

    @TempDir private Path directory;

    /** Writes a member of a message with a length. */
    private static byte[] part(int number, byte[]... contents) {
        var inner = new ByteArrayOutputStream();
        for (byte[] each : contents) {
            inner.writeBytes(each);
        }
        var part = new ByteArrayOutputStream();
        varint(part, (long) number << 3 | 2);
        varint(part, inner.size());
        part.writeBytes(inner.toByteArray());
        return part.toByteArray();
    }

    private static void varint(ByteArrayOutputStream out, long value) {
        long left = value;
        while (left > 0x7f) {
            out.write((int) ((left & 0x7f) | 0x80));
            left >>>= 7;
        }
        out.write((int) left);
    }

    private static byte[] value(int number, String name, long... dimensions) {
        var shape = new ByteArrayOutputStream();
        for (long each : dimensions) {
            var dimension = new ByteArrayOutputStream();
            if (each > 0) {
                dimension.write(8);
                varint(dimension, each);
            } else {
                dimension.writeBytes(part(2, "free".getBytes(StandardCharsets.UTF_8)));
            }
            shape.writeBytes(part(1, dimension.toByteArray()));
        }
        return part(
                number,
                part(1, name.getBytes(StandardCharsets.UTF_8)),
                part(2, part(1, part(2, shape.toByteArray()))));
    }

    private static byte[] model(long size) {
        return part(
                7,
                part(5, new byte[LARGE]),
                value(11, "input_ids", 0, 0),
                value(11, "attention_mask", 0, 0),
                value(12, "last_hidden_state", 0, 0, size));
    }

    private void write(String name, byte[] bytes) throws IOException {
        Path file = directory.resolve(name);
        Files.createDirectories(file.getParent());
        Files.write(file, bytes);
    }

    private void problem(String message) {
        assertThatThrownBy(() -> ModelDirectory.in(directory))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(message);
    }

    @Test
    void findsTheFilesAndTheSize() throws IOException {
        write("model.onnx", model(384));
        write("tokenizer.json", "{}".getBytes(StandardCharsets.UTF_8));

        ModelDirectory directoryModel = ModelDirectory.in(directory);

        assertThat(directoryModel)
                .isEqualTo(
                        new ModelDirectory(
                                directory.resolve("model.onnx"),
                                directory.resolve("tokenizer.json"),
                                384,
                                "last_hidden_state",
                                false));
        String component = directoryModel.component();
        assertThat(component).matches("model_[0-9a-f]{8}");
        assertThat(directoryModel.element(component))
                .contains("path=\"models/" + component + ".onnx\"")
                .contains("<transformer-token-type-ids></transformer-token-type-ids>")
                .doesNotContain("transformer-output");
    }

    @Test
    void findsFilesAsOtherProgramsPutThem() throws IOException {
        write("onnx/model.onnx", model(8));
        write("onnx/model_quantized.onnx", model(9));
        write("tokenizer.json", new byte[0]);
        assertThat(ModelDirectory.in(directory).model())
                .isEqualTo(directory.resolve("onnx/model.onnx"));
        write("any.onnx", model(10));
        Files.delete(directory.resolve("onnx/model.onnx"));
        Files.delete(directory.resolve("tokenizer.json"));
        write("any-tokenizer.json", new byte[0]);

        ModelDirectory directoryModel = ModelDirectory.in(directory);

        assertThat(directoryModel.size()).isEqualTo(10);
        assertThat(directoryModel.tokenizer()).isEqualTo(directory.resolve("any-tokenizer.json"));
    }

    @Test
    void namesTheFilesThatAreMissing() throws IOException {
        problem("no model: expected model.onnx or onnx/model.onnx, or one file that ends in .onnx");
        write("model.onnx", model(8));
        problem("no tokenizer: expected tokenizer.json or onnx/tokenizer.json");
        write("a-tokenizer.json", new byte[0]);
        write("b-tokenizer.json", new byte[0]);
        problem("found 2 of them");
        assertThatThrownBy(() -> ModelDirectory.in(directory.resolve("none")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no directory with a model");
    }

    @Test
    void readsTheSizeFromTheConfigurationIfTheModelDoesNotSayIt() throws IOException {
        write("model.onnx", model(0));
        write("tokenizer.json", new byte[0]);
        problem("does not say how many numbers a vector has");
        write("config.json", "{\"hidden_size\": 99999999999}".getBytes(StandardCharsets.UTF_8));
        problem("does not say how many numbers a vector has");
        write("config.json", "{\"hidden".getBytes(StandardCharsets.UTF_8));
        problem("config.json: not JSON");
        write("config.json", "{\"hidden_size\": 16}".getBytes(StandardCharsets.UTF_8));

        assertThat(ModelDirectory.in(directory).size()).isEqualTo(16);
    }

    @Test
    void refusesModelsOfOtherThings() throws IOException {
        write("tokenizer.json", new byte[0]);
        write("model.onnx", part(7, value(11, "pixels", 1), value(12, "kind", 1)));
        problem("has the inputs [pixels]");
        write("model.onnx", part(7, value(11, "input_ids", 1)));
        problem("has no output");
        write("model.onnx", new byte[0]);
        problem("has the inputs []");
    }

    @Test
    void endsAtLyingLengthsAndNumbers() throws IOException {
        write("tokenizer.json", new byte[0]);
        write("model.onnx", "version https://git-lfs".getBytes(StandardCharsets.UTF_8));
        problem("is no ONNX model");
        write("model.onnx", new byte[] {0x3a, (byte) 0xff, (byte) 0xff, (byte) 0xff, 0x7f});
        problem("a part is longer than the part around it");
        write("model.onnx", new byte[] {0x3a, -1, -1, -1, -1, -1, -1, -1, -1, -1, 1});
        problem("a part is longer");
        write("model.onnx", new byte[] {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 1});
        problem("a number has more than 10 bytes");
        write("model.onnx", new byte[] {0x09, 1});
        problem("a number is longer than the part around it");
        byte[][] many = new byte[1_001][];
        Arrays.setAll(many, i -> value(11, "x" + i, 1));
        write("model.onnx", part(7, many));
        problem("more than 1,000 parts");
        write("model.onnx", part(7, value(11, "x".repeat(2_000), 1)));
        problem("a name is longer than 1,000 bytes");
    }

    @Test
    void endsAtDamagedBytesWithAMessage() throws IOException {
        long seed = 20261201;
        var random = new Random(seed);
        write("tokenizer.json", new byte[0]);
        byte[] whole = part(7, value(11, "input_ids", 0), value(12, "last_hidden_state", 0, 8));
        for (int i = 0; i < 2_000; i++) {
            byte[] damaged = whole.clone();
            damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
            write("model.onnx", Arrays.copyOf(damaged, 1 + random.nextInt(damaged.length)));
            try {
                assertThat(ModelDirectory.in(directory).size()).as("seed %d", seed).isPositive();
            } catch (IOException e) {
                assertThat(e).as("seed %d", seed).hasMessageContaining("model.onnx");
            }
        }
    }

    @Test
    void refusesLargeFilesWithoutReadingThem() throws IOException {
        write("tokenizer.json", new byte[0]);
        try (var file = new RandomAccessFile(directory.resolve("model.onnx").toFile(), "rw")) {
            file.setLength(ModelDirectory.MODEL_BYTES_MAX + 1);
        }

        problem("has more than 1,073,741,824 bytes");
    }
}
