package org.crabro.container.http;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.crabro.perf.FuzzTarget;

/** Keys and certificates in PEM files, and patterns of names. */
public final class PemTargets {
    private PemTargets() {}

    /** Returns the targets. */
    public static List<FuzzTarget> all() {
        return List.of(
                FuzzTarget.ofBytes("pem-files", PemTargets::read, IllegalArgumentException.class)
                        .slow(),
                FuzzTarget.ofText("globs", PemTargets::match));
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

    /** A text without stars fits a pattern that has stars at its ends. */
    private static void match(String text) {
        Glob.of(text).matches("localhost");
        String plain = text.replace("*", "");
        if (!Glob.of("*" + plain + "*").matches(plain)) {
            throw new AssertionError("not matched: " + plain);
        }
    }
}
