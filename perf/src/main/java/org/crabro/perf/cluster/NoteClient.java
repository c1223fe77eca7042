package org.crabro.perf.cluster;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/** Sends operations on notes, and tells what is known of their outcome. */
final class NoteClient implements AutoCloseable {
    /** Of an operation whose server does not answer at all. */
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final HttpClient http = ProcessCluster.client();

    /** What is known after a request. */
    enum Knowledge {
        /** The server has answered. */
        DONE,
        /** Nothing was written, or nothing was read. */
        NOTHING,
        /** The write may be carried out, now or later. */
        UNKNOWN
    }

    /**
     * The answer to an operation.
     *
     * @param status 0 without an answer
     */
    record Answer(Knowledge knowledge, int status, String body) {}

    /** An operation as HTTP: its method, the rest of the path, and the body of writes. */
    record NoteOperation(String method, String path, Optional<String> body) {
        static NoteOperation get(String id) {
            return new NoteOperation("GET", path(id), Optional.empty());
        }

        static NoteOperation remove(String id) {
            return new NoteOperation("DELETE", path(id), Optional.empty());
        }

        static NoteOperation put(String id, String text) {
            return new NoteOperation(
                    "POST",
                    path(id),
                    Optional.of("{\"fields\":{\"text\":\"%s\",\"count\":0}}".formatted(text)));
        }

        /** Returns the update that replaces one text by another. */
        static NoteOperation change(String id, String from, String to) {
            return new NoteOperation(
                    "PUT",
                    path(id)
                            + "&condition="
                            + URLEncoder.encode(
                                    "note.text==\"%s\"".formatted(from), StandardCharsets.UTF_8),
                    Optional.of("{\"fields\":{\"text\":{\"assign\":\"%s\"}}}".formatted(to)));
        }

        static NoteOperation increment(String id) {
            return new NoteOperation(
                    "PUT", path(id), Optional.of("{\"fields\":{\"count\":{\"increment\":1}}}"));
        }

        private static String path(String id) {
            return "/document/v1/faults/note/docid/%s?timeout=15s".formatted(id);
        }

        NoteOperation withTimeout(Duration timeout) {
            return new NoteOperation(method, path.replace("15s", timeout.toMillis() + "ms"), body);
        }
    }

    /** Sends an operation to a server, and waits for its answer. */
    Answer send(URI server, NoteOperation operation) throws InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(server.resolve(operation.path()))
                        .timeout(PATIENCE)
                        .header("Content-Type", "application/json")
                        .method(
                                operation.method(),
                                operation
                                        .body()
                                        .map(HttpRequest.BodyPublishers::ofString)
                                        .orElse(HttpRequest.BodyPublishers.noBody()))
                        .build();
        try {
            HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
            return new Answer(knowledge(answer.statusCode()), answer.statusCode(), answer.body());
        } catch (ConnectException | HttpConnectTimeoutException e) {
            return new Answer(Knowledge.NOTHING, 0, e.toString());
        } catch (IOException e) {
            return new Answer(Knowledge.UNKNOWN, 0, e.toString());
        }
    }

    private static Knowledge knowledge(int status) {
        return switch (status) {
            case 200, 404, 412 -> Knowledge.DONE;
            case 400, 413, 429, 503, 507 -> Knowledge.NOTHING;
            default -> Knowledge.UNKNOWN;
        };
    }

    @Override
    public void close() {
        http.close();
    }
}
