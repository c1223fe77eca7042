package org.crabro.ranking.onnx;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.MalformedInputException;
import java.util.List;
import org.crabro.perf.fuzz.FuzzTarget;
import org.crabro.perf.fuzz.FuzzedDirectory;

/** Vocabularies of tokenizers, and weights of models. */
public final class TokenizerTargets {
    private TokenizerTargets() {}

    /** Returns the targets. */
    public static List<FuzzTarget> all() {
        return List.of(
                FuzzTarget.ofBytes(
                                "vocabularies",
                                TokenizerTargets::vocabulary,
                                InvalidModelException.class,
                                // Reported as an unreadable file.
                                MalformedInputException.class)
                        .slow(),
                FuzzTarget.ofBytes(
                        "onnx-weights", TokenizerTargets::weights, InvalidModelException.class));
    }

    private static void weights(byte[] bytes) {
        for (WeightReader.Weight weight : WeightReader.read(MemorySegment.ofArray(bytes))) {
            if (weight.offset() < 0 || weight.bytes() > bytes.length - weight.offset()) {
                throw new IllegalStateException("outside of the file: " + weight);
            }
        }
    }

    private static void vocabulary(byte[] bytes) throws IOException {
        try (var directory = FuzzedDirectory.create()) {
            WordPieces.read(directory.write("vocab.txt", bytes)).json(1, 2);
        }
    }
}
