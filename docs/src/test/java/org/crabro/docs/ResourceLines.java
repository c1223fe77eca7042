package org.crabro.docs;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Reads files of the test resources of this module. */
public final class ResourceLines {
    private ResourceLines() {}

    public static List<String> of(String file) throws IOException {
        try (InputStream in = ResourceLines.class.getResourceAsStream("/" + file)) {
            if (in == null) {
                throw new IOException("no resource " + file);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        }
    }
}
