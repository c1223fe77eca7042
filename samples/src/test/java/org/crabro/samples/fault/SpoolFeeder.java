package org.crabro.samples.fault;

import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.crabro.client.feed.FeedClient;
import org.crabro.client.feed.FeedOperation;
import org.crabro.client.feed.FeedSettings;
import org.crabro.client.http.ServerAccess;

/**
 * A client with a spool that is killed. It raises the version of each document by one, time after
 * time, and prints a line for each operation that the spool accepted. An operation has an effect
 * only if the one before it had.
 */
final class SpoolFeeder {
    private static final int WINDOW = 32;

    private SpoolFeeder() {}

    /**
     * Feeds.
     *
     * @param arguments the address of the server, the directory of the spool, how many times each
     *     version is raised, and the current version of each document
     */
    public static void main(String[] arguments) throws Exception {
        URI server = URI.create(arguments[0]);
        int rounds = Integer.parseInt(arguments[2]);
        int[] versions = Arrays.stream(arguments).skip(3).mapToInt(Integer::parseInt).toArray();
        var out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        FeedSettings settings = FeedSettings.DEFAULT.withWindow(WINDOW).patient();
        try (var client =
                FeedClient.connect(ServerAccess.of(server), settings)
                        .spool(Path.of(arguments[1]))) {
            for (int round = 0; round < rounds; round++) {
                for (int document = 0; document < versions.length; document++) {
                    int version = ++versions[document];
                    var _ = client.send(raise(document, version));
                    out.println(document + " " + version);
                }
            }
            client.awaitAll();
            out.println("left " + client.spooled());
        }
    }

    static String id(int document) {
        return "id:test:note::" + user(document);
    }

    /** Returns the last part of the id of a document. */
    static String user(int document) {
        return "spooled" + document;
    }

    private static FeedOperation raise(int document, int version) {
        return FeedOperation.update(id(document), Map.of("version", Map.of("assign", version)))
                .withCondition("note.version == " + (version - 1));
    }
}
