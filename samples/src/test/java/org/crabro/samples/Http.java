package org.crabro.samples;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What a client says to a server, in JSON. */
final class Http implements AutoCloseable {
    static final JsonMapper JSON = new JsonMapper();

    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    /** An answer: its status and its body. */
    record Answer(int status, JsonNode body) {
        @Override
        public String toString() {
            return status + " " + body;
        }
    }

    Answer get(URI address) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(address).GET());
    }

    /** Returns what is answered with 200 in another form than JSON. */
    String text(URI address) throws IOException, InterruptedException {
        HttpResponse<String> response =
                client.send(
                        HttpRequest.newBuilder(address).timeout(TIMEOUT).build(),
                        HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() != 200) {
            throw new IOException(response.statusCode() + " " + response.body());
        }
        return response.body();
    }

    Answer post(URI address, JsonNode body) throws IOException, InterruptedException {
        return post(address, "application/json", body.toString().getBytes(StandardCharsets.UTF_8));
    }

    Answer post(URI address, String type, byte[] body) throws IOException, InterruptedException {
        return send(
                HttpRequest.newBuilder(address)
                        .header("Content-Type", type)
                        .POST(HttpRequest.BodyPublishers.ofByteArray(body)));
    }

    Answer put(URI address, JsonNode body) throws IOException, InterruptedException {
        byte[] bytes = body.toString().getBytes(StandardCharsets.UTF_8);
        return send(
                HttpRequest.newBuilder(address)
                        .header("Content-Type", "application/json")
                        .PUT(HttpRequest.BodyPublishers.ofByteArray(bytes)));
    }

    Answer put(URI address, String body) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(address).PUT(HttpRequest.BodyPublishers.ofString(body)));
    }

    Answer delete(URI address) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(address).DELETE());
    }

    private Answer send(HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpResponse<byte[]> response =
                client.send(
                        request.timeout(TIMEOUT).build(), HttpResponse.BodyHandlers.ofByteArray());
        return new Answer(response.statusCode(), JSON.readTree(response.body()));
    }

    /** Returns the files below {@code directory} as a zip. */
    static byte[] zip(Path directory) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var zip = new ZipOutputStream(bytes);
                Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                zip.putNextEntry(new ZipEntry(directory.relativize(file).toString()));
                Files.copy(file, zip);
                zip.closeEntry();
            }
        }
        return bytes.toByteArray();
    }

    /** Returns a zip of files whose texts are given. */
    static byte[] zip(Map<String, String> files) throws IOException {
        var contents = new LinkedHashMap<String, byte[]>();
        files.forEach((path, text) -> contents.put(path, text.getBytes(StandardCharsets.UTF_8)));
        return zipOfBytes(contents);
    }

    /** Returns a zip of files whose contents are given. */
    static byte[] zipOfBytes(Map<String, byte[]> files) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var zip = new ZipOutputStream(bytes)) {
            for (Map.Entry<String, byte[]> file : files.entrySet()) {
                zip.putNextEntry(new ZipEntry(file.getKey()));
                zip.write(file.getValue());
                zip.closeEntry();
            }
        }
        return bytes.toByteArray();
    }

    @Override
    public void close() {
        client.close();
    }
}
