package org.crabro.client.cli;

import java.net.URI;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The config port that a command sends requests to, and the token that they carry. */
final class ConfigTarget {
    @Option(
            names = "--config",
            paramLabel = "URL",
            defaultValue = "http://127.0.0.1:19071",
            description = "The server's port for packages (${DEFAULT-VALUE}).")
    private URI address = URI.create("http://127.0.0.1:19071");

    @Option(
            names = "--token",
            paramLabel = "TOKEN",
            defaultValue = "${env:CRABRO_TOKEN}",
            description =
                    "Bearer token with the permission admin, for a server with --access. The"
                            + " environment variable CRABRO_TOKEN sets it too, and is not visible"
                            + " in lists of processes.")
    private @Nullable String token;

    URI address() {
        return address;
    }

    /** Opens a client whose requests carry the token, if there is one. */
    ServerCalls calls() {
        return new ServerCalls(token == null ? "" : token);
    }
}
