package org.crabro.ranking.onnx;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The name of the {@linkplain PreparedModels copy} of a model: a digest of all that the copy
 * depends on. These are the bytes of the model, the version of ONNX Runtime, and the processor,
 * because the order of weights depends on its instructions.
 */
final class PreparedName {
    /** Describes the processor on Linux. */
    private static final Path PROCESSOR = Path.of("/proc/cpuinfo");

    /** The lines that say which instructions there are, on x86 and on ARM. */
    private static final Set<String> LINES =
            Set.of(
                    "vendor_id",
                    "cpu family",
                    "model",
                    "model name",
                    "flags",
                    "Features",
                    "CPU implementer",
                    "CPU architecture",
                    "CPU variant",
                    "CPU part");

    private static final int BUFFER_BYTES = 1 << 20;

    private PreparedName() {}

    /** Returns the name; empty if the processor does not describe itself. */
    static Optional<String> of(Path model) throws IOException {
        if (!Files.isReadable(PROCESSOR)) {
            return Optional.empty();
        }
        return of(model, Files.readAllLines(PROCESSOR, UTF_8));
    }

    static Optional<String> of(Path model, List<String> processor) throws IOException {
        // Some processors have cores of several kinds, so all lines count.
        String instructions =
                processor.stream()
                        .filter(line -> LINES.contains(line.split(":", 2)[0].strip()))
                        .distinct()
                        .collect(Collectors.joining("\n"));
        if (Stream.of("flags", "Features").noneMatch(instructions::contains)) {
            return Optional.empty();
        }
        MessageDigest digest = digest();
        digest.update(
                (OnnxEnvironment.SHARED.getVersion() + "\n" + instructions + "\n").getBytes(UTF_8));
        var buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
        try (FileChannel channel = FileChannel.open(model, StandardOpenOption.READ)) {
            while (channel.read(buffer.clear()) >= 0) {
                digest.update(buffer.flip());
            }
        }
        return Optional.of(HexFormat.of().formatHex(digest.digest()));
    }

    private static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JDK has SHA-256", e);
        }
    }
}
