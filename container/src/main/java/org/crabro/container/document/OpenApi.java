package org.crabro.container.document;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/**
 * The description of everything under {@code /document/v1}, in OpenAPI 3.1. A test compares it with
 * the parameters and statuses in the code.
 */
final class OpenApi {
    /** The path of the description. */
    static final String PATH = DocumentPath.PREFIX + "/openapi.json";

    private OpenApi() {}

    /** Returns the description as JSON. */
    static byte[] description() {
        try (InputStream in = OpenApi.class.getResourceAsStream("openapi.json")) {
            if (in == null) {
                throw new IllegalStateException("openapi.json is missing");
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException("openapi.json cannot be read", e);
        }
    }
}
