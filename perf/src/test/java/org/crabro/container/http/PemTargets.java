package org.crabro.container.http;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.crabro.perf.fuzz.FuzzTarget;
import org.crabro.protocol.transport.PemFiles;
import org.crabro.text.Glob;

/** Keys and certificates in PEM files, patterns of names, and origins of web pages. */
public final class PemTargets {
    private PemTargets() {}

    /** Returns the targets. */
    public static List<FuzzTarget> all() {
        return List.of(
                FuzzTarget.ofBytes("pem-files", PemTargets::read, IllegalArgumentException.class)
                        .slow(),
                FuzzTarget.ofText("globs", PemTargets::match),
                FuzzTarget.ofText("origins", PemTargets::origin));
    }

    private static void read(byte[] pem) throws IOException {
        Path file = Files.createTempFile("fuzz", ".pem");
        try {
            Files.write(file, pem);
            PemFiles.trusted(Optional.of(file), List.of());
            PemFiles.identity(file, file);
        } finally {
            Files.delete(file);
        }
    }

    /** An origin that was parsed is written as text that parses as the same. */
    private static void origin(String text) {
        Optional<Origin> origin = Origin.parse(text);
        if (origin.isPresent() && origin.get().port() > 0) {
            String written =
                    "%s://%s:%d"
                            .formatted(
                                    origin.get().scheme(),
                                    origin.get().host(),
                                    origin.get().port());
            if (!Origin.parse(written).equals(origin)) {
                throw new AssertionError(text + " reads back as " + written);
            }
        }
    }

    /** A text without stars fits a pattern that has stars at its ends. */
    private static void match(String text) {
        Glob.of(text).matches("localhost");
        Glob.ofStars(text).matches("localhost");
        String plain = text.replace("*", "");
        if (!Glob.ofStars("*" + plain + "*").matches(plain)) {
            throw new AssertionError("not matched: " + plain);
        }
    }
}
