package org.crabro.client.cli;

import java.io.IOException;
import java.net.URI;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The config port that a command sends requests to, and the credentials that they carry. They need
 * the permission admin.
 */
final class ConfigTarget {
    @Option(
            names = "--config",
            paramLabel = "URL",
            defaultValue = "${env:CRABRO_CONFIG:-http://127.0.0.1:19071}",
            description = "The server's port for packages (${DEFAULT-VALUE}).")
    private URI address = URI.create("http://127.0.0.1:19071");

    @Mixin private CredentialOptions credentials = new CredentialOptions();

    URI address() {
        return address;
    }

    /**
     * Opens a client whose requests carry the credentials.
     *
     * @throws IOException if a file of them cannot be read
     */
    ServerCalls calls() throws IOException {
        return new ServerCalls(credentials.access(address));
    }
}
