package org.crabro.samples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.crabro.server.CrabroServer;
import org.crabro.server.ServerSettings;
import tools.jackson.databind.JsonNode;

/**
 * A server with two content clusters: {@code notes} of notes and tags, {@code places} of cities,
 * which are global, and of fresh ones, of which it keeps those after 2000. No cluster keeps loose
 * ones.
 */
final class ServedPackage implements AutoCloseable {
    static final String SERVICES =
            """
            <services version="1.0">
              <container id="default" version="1.0">
                <search/>
                <document-api/>
              </container>
              <content id="notes" version="1.0">
                <redundancy>1</redundancy>
                <documents>
                  <document type="note" mode="streaming"/>
                  <document type="tag" mode="streaming"/>
                </documents>
              </content>
              <content id="places" version="1.0">
                <redundancy>1</redundancy>
                <documents>
                  <document type="city" mode="index" global="true"/>
                  <document type="fresh" mode="streaming" selection="fresh.year &gt; 2000"/>
                </documents>
              </content>
            </services>
            """;

    private static final String NOTE =
            """
            schema note {
              document note {
                field text type string { indexing: index | summary }
                field year type int { indexing: attribute | summary }
                field done type bool { indexing: attribute | summary }
                field tags type array<string> { indexing: summary }
                field votes type weightedset<string> { indexing: summary }
                field prices type map<string, int> { indexing: summary }
                field place type tensor<float>(x[2]) { indexing: attribute }
              }
              fieldset texts { fields: text }
            }
            """;

    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final int READ_MILLIS = 60_000;

    private static final Map<String, String> FILES =
            Map.of(
                    "services.xml",
                    SERVICES,
                    "schemas/note.sd",
                    NOTE,
                    "schemas/tag.sd",
                    schema("tag", "name type string"),
                    "schemas/city.sd",
                    schema("city", "name type string"),
                    "schemas/fresh.sd",
                    schema("fresh", "year type int"),
                    "schemas/loose.sd",
                    schema("loose", "year type int"));

    private final Map<String, byte[]> files = new TreeMap<>();
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final ServerSettings settings;
    private CrabroServer server;
    private String deployed = "";

    /** Starts a server whose data lie in {@code data}, and deploys nothing. */
    ServedPackage(Path data) throws Exception {
        this(data, FILES);
    }

    /** Starts a server for another package, and deploys nothing. */
    private ServedPackage(Path data, Map<String, String> files) throws Exception {
        this(TestSettings.onAnyPorts(data), files);
    }

    /** Starts a server with settings for another package, and deploys nothing. */
    ServedPackage(ServerSettings settings, Map<String, String> files) throws Exception {
        this.settings = settings;
        files.forEach((path, text) -> this.files.put(path, text.getBytes(UTF_8)));
        server = CrabroServer.start(settings);
    }

    /** Starts a server, and deploys one cluster of streamed notes with this schema. */
    static ServedPackage ofNotes(Path data, String schema) throws Exception {
        return ofNotes(data, Map.of("schemas/note.sd", schema));
    }

    /** Starts a server, and deploys one cluster of streamed notes with these files. */
    static ServedPackage ofNotes(Path data, Map<String, String> files) throws Exception {
        String services = NotesApplication.SERVICES;
        var served = new ServedPackage(data, files);
        served.deploy(services);
        return served;
    }

    /** Starts a server, and deploys these files, the services among them. */
    static ServedPackage of(Path data, Map<String, String> files) throws Exception {
        var served = new ServedPackage(data, files);
        served.deploy(Objects.requireNonNull(files.get("services.xml")));
        return served;
    }

    private static String schema(String name, String field) {
        return """
        schema %s {
          document %s {
            field %s { indexing: attribute | summary }
          }
        }
        """
                .formatted(name, name, field);
    }

    /** Deploys it. */
    ServedPackage deployed() throws Exception {
        deploy(SERVICES);
        return this;
    }

    /** Deploys it with other services, unless these are deployed. */
    void deploy(String services) throws Exception {
        if (!services.equals(deployed)) {
            deployed = services;
            change("services.xml", services);
        }
    }

    /** Stops the server, and starts another with the same data. */
    void restart() throws IOException {
        server.close();
        server = CrabroServer.start(settings);
    }

    /** Deploys it with another file. */
    void change(String path, String content) throws Exception {
        add(path, content.getBytes(UTF_8));
        Answer answer = deployment();
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
    }

    /** Adds a file, or replaces it, for the next deployment. */
    void add(String path, byte[] content) {
        files.put(path, content);
    }

    /**
     * Sends the package, and returns what is answered.
     *
     * @param headers names and values by turns
     */
    Answer deployment(String... headers) throws Exception {
        return send(
                "POST",
                config("/application/v2/tenant/default/prepareandactivate"),
                Http.zipOfBytes(files),
                Stream.concat(Stream.of("Content-Type", "application/zip"), Stream.of(headers))
                        .toArray(String[]::new));
    }

    /** Returns a shell for the commands of a page on this server. */
    PageCommands commands(Path temporary) {
        return PageCommands.of(server, temporary);
    }

    URI container(String target) {
        return server.container().resolve(target);
    }

    URI config(String target) {
        return server.config().resolve(target);
    }

    /** An answer as it came. */
    record Answer(HttpResponse<String> response) {
        int status() {
            return response.statusCode();
        }

        String body() {
            return response.body();
        }

        JsonNode json() {
            return Http.JSON.readTree(body());
        }

        /** The member {@code message}, which has to be a text. */
        String message() {
            JsonNode message = json().get("message");
            assertThat(message).as(body()).isNotNull();
            return message.asString();
        }

        /** A header, or nothing at all. */
        String header(String name) {
            return response.headers().firstValue(name).orElse("");
        }

        @Override
        public String toString() {
            return response.uri() + " " + status() + " " + body();
        }
    }

    Answer get(String target, String... headers) throws Exception {
        return send("GET", target, "", headers);
    }

    Answer delete(String target) throws Exception {
        return send("DELETE", target, "");
    }

    Answer post(String target, String body, String... headers) throws Exception {
        return send("POST", target, body, headers);
    }

    Answer put(String target, String body) throws Exception {
        return send("PUT", target, body);
    }

    /**
     * @param headers names and values by turns
     */
    Answer send(String method, String target, String body, String... headers) throws Exception {
        return send(method, container(target), body.getBytes(UTF_8), headers);
    }

    Answer send(String method, URI address, byte[] body, String... headers) throws Exception {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(address)
                        .timeout(TIMEOUT)
                        .method(
                                method,
                                body.length == 0
                                        ? HttpRequest.BodyPublishers.noBody()
                                        : HttpRequest.BodyPublishers.ofByteArray(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return new Answer(client.send(request.build(), HttpResponse.BodyHandlers.ofString(UTF_8)));
    }

    /** Asks for what {@code yql} finds in a group, with more parameters behind it. */
    Answer search(String group, String yql, String more) throws Exception {
        return get(
                "/search/?timeout=60s&streaming.groupname=%s&yql=%s%s"
                        .formatted(group, URLEncoder.encode(yql, UTF_8), more));
    }

    /** Puts a note, which has to go well. */
    void note(String path, String fields) throws Exception {
        write("/document/v1/ns/note/" + path, fields);
    }

    /** Puts a document, which has to go well. */
    void write(String path, String fields) throws Exception {
        Answer answer = post(path, "{\"fields\":{" + fields + "}}");
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
    }

    /** Feeds operations, which have to go well. */
    void feed(List<String> lines) throws Exception {
        Answer answer =
                post(
                        "/document/v1/?answers=failed",
                        String.join("\n", lines),
                        "Content-Type",
                        "application/jsonl");
        assertThat(answer.body()).contains("\"ok\":" + lines.size() + ",\"failed\":0");
    }

    /** Makes a backup, and so runs of what was in the journal alone. */
    void backUp(Path directory) throws Exception {
        var body = Http.JSON.createObjectNode();
        body.put("directory", directory.toString());
        Answer answer =
                send(
                        "POST",
                        config("/crabro/v1/backup"),
                        body.toString().getBytes(UTF_8),
                        "Content-Type",
                        "application/json");
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
    }

    /** Ids of the documents of an answer, of which the count has to be right. */
    static List<String> ids(JsonNode answer) {
        var ids = new ArrayList<String>();
        for (JsonNode each : answer.get("documents")) {
            ids.add(each.get(each.has("id") ? "id" : "remove").asString());
        }
        assertThat(answer.get("documentCount").asInt()).isEqualTo(ids.size());
        return ids;
    }

    /** All ids that a visit comes to, from answer to answer. */
    List<String> everything(String target) throws Exception {
        var ids = new ArrayList<String>();
        String next = target;
        while (true) {
            Answer answer = get(next);
            assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
            ids.addAll(ids(answer.json()));
            if (!answer.json().has("continuation")) {
                return ids;
            }
            next = target + "&continuation=" + answer.json().get("continuation").asString();
        }
    }

    /** What is answered to bytes that no client would send; until the server closes. */
    String raw(String request) throws IOException {
        try (Socket socket = open(request)) {
            return new String(socket.getInputStream().readAllBytes(), UTF_8);
        }
    }

    /** A connection on which bytes were sent. */
    Socket open(String request) throws IOException {
        URI address = server.container();
        var socket = new Socket(address.getHost(), address.getPort());
        socket.setSoTimeout(READ_MILLIS);
        socket.getOutputStream().write(request.getBytes(UTF_8));
        socket.getOutputStream().flush();
        return socket;
    }

    @Override
    public void close() {
        client.close();
        server.close();
    }
}
