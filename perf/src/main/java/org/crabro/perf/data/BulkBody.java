package org.crabro.perf.data;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** Feeds a container with lines in one request. */
public final class BulkBody {
    private BulkBody() {}

    /**
     * Returns when all is stored.
     *
     * @throws IOException if something was not
     */
    public static void feed(HttpClient http, URI container, byte[] lines)
            throws IOException, InterruptedException {
        URI address = container.resolve("/document/v1/?answers=failed");
        HttpResponse<String> answer =
                http.send(
                        HttpRequest.newBuilder(address)
                                .header("Content-Type", "application/jsonl")
                                .POST(HttpRequest.BodyPublishers.ofByteArray(lines))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() != 200 || !answer.body().contains("\"failed\":0,")) {
            throw new IOException("not all was stored: " + answer.body());
        }
    }
}
