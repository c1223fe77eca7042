package org.crabro.client.cli;

import java.net.URI;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The config port that a command sends requests to, and the token that they carry. The token needs
 * the permission admin.
 */
final class ConfigTarget {
    @Option(
            names = "--config",
            paramLabel = "URL",
            defaultValue = "http://127.0.0.1:19071",
            description = "The server's port for packages (${DEFAULT-VALUE}).")
    private URI address = URI.create("http://127.0.0.1:19071");

    @Mixin private TokenOption token = new TokenOption();

    URI address() {
        return address;
    }

    /** Opens a client whose requests carry the token, if there is one. */
    ServerCalls calls() {
        return new ServerCalls(token.text());
    }
}
