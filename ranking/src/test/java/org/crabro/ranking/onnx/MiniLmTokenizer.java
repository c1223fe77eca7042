package org.crabro.ranking.onnx;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** The tokenizer of a real model, from the library that ships it. */
final class MiniLmTokenizer {
    private MiniLmTokenizer() {}

    /** Returns its file, copied into {@code folder}, after the native libraries are unpacked. */
    static Path in(Path folder) throws IOException {
        // Kept between runs, as a server's is.
        NativeLibraries.unpackInto(Path.of("target", "native"));
        Path tokenizer = folder.resolve("tokenizer.json");
        try (InputStream bytes =
                MiniLmTokenizer.class
                        .getClassLoader()
                        .getResourceAsStream("all-minilm-l6-v2-q-tokenizer.json")) {
            assertThat(bytes).isNotNull();
            Files.copy(bytes, tokenizer);
        }
        return tokenizer;
    }
}
