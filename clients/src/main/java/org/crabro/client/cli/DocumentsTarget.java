package org.crabro.client.cli;

import java.net.URI;
import picocli.CommandLine.Option;

/** Which server a command talks to about documents. */
final class DocumentsTarget {
    @Option(
            names = "--target",
            paramLabel = "URL",
            defaultValue = "http://127.0.0.1:8080",
            description = "The server's port for documents (${DEFAULT-VALUE}).")
    private URI address = URI.create("http://127.0.0.1:8080");

    URI address() {
        return address;
    }
}
