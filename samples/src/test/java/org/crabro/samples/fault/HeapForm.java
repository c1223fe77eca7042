package org.crabro.samples.fault;

import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.function.IntFunction;

/**
 * A small request that takes much memory.
 *
 * @param path for the number of the request, so that no two write the same document
 * @param times how many of them are sent at once
 */
record HeapForm(
        String name, String method, IntFunction<String> path, HeapForm.Content content, int times) {
    private static final int AT_ONCE = 4;

    /**
     * What a form sends.
     *
     * @param encoding of the body
     */
    record Content(String type, String encoding, BodyPublisher body) {}

    /** A request whose body is compressed. */
    static HeapForm compressed(
            String name,
            String method,
            IntFunction<String> path,
            String type,
            BodyPublisher compressed) {
        return new HeapForm(name, method, path, new Content(type, "gzip", compressed), AT_ONCE);
    }

    /** A request whose body is sent as it is. */
    static HeapForm plain(
            String name, String method, IntFunction<String> path, String type, String body) {
        BodyPublisher published =
                body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body);
        return new HeapForm(name, method, path, new Content(type, "identity", published), AT_ONCE);
    }

    /** A request without a body. */
    static HeapForm empty(String name, String method, IntFunction<String> path) {
        return plain(name, method, path, "application/json", "");
    }

    /** The same request, sent more often. */
    HeapForm times(int number) {
        return new HeapForm(name, method, path, content, number);
    }

    HttpRequest request(URI server, int number) {
        return HttpRequest.newBuilder(server.resolve(path.apply(number)))
                .method(method, content.body)
                .header("Content-Type", content.type)
                .header("Content-Encoding", content.encoding)
                .build();
    }

    @Override
    public String toString() {
        return name;
    }
}
