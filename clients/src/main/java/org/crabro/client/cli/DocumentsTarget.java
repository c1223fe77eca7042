package org.crabro.client.cli;

import java.io.IOException;
import java.net.URI;
import org.crabro.client.http.ServerAccess;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The document port that a command sends requests to, and the credentials that they carry. */
public final class DocumentsTarget {
    @Option(
            names = "--target",
            paramLabel = "URL",
            defaultValue = "${env:CRABRO_TARGET:-http://127.0.0.1:8080}",
            description = "The server's port for documents (${DEFAULT-VALUE}).")
    private URI address = URI.create("http://127.0.0.1:8080");

    @Mixin private CredentialOptions credentials = new CredentialOptions();

    /**
     * Returns the port and the credentials.
     *
     * @throws IOException if a file of them cannot be read
     */
    public ServerAccess server() throws IOException {
        return credentials.access(address);
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
