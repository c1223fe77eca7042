package org.crabro.client.cli;

import java.net.URI;
import org.crabro.client.feed.FeedServer;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The document port that a command sends requests to, and the token that they carry. */
final class DocumentsTarget {
    @Option(
            names = "--target",
            paramLabel = "URL",
            defaultValue = "http://127.0.0.1:8080",
            description = "The server's port for documents (${DEFAULT-VALUE}).")
    private URI address = URI.create("http://127.0.0.1:8080");

    @Mixin private TokenOption token = new TokenOption();

    /** Returns the port and the token for feeding. */
    FeedServer server() {
        return new FeedServer(address, token.text());
    }

    /** Opens a client whose requests carry the token, if there is one. */
    ServerCalls calls() {
        return new ServerCalls(token.text());
    }
}
