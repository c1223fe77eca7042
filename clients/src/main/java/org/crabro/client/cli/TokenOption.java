package org.crabro.client.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The bearer token of a command's requests. */
final class TokenOption {
    @Option(
            names = "--token",
            paramLabel = "TOKEN",
            defaultValue = "${env:CRABRO_TOKEN}",
            description =
                    "Bearer token, for a server with --access. The environment variable"
                            + " CRABRO_TOKEN sets it too, and is not visible in lists of"
                            + " processes.")
    private @Nullable String token;

    /** Returns the token; empty if there is none. */
    String text() {
        return token == null ? "" : token;
    }
}
