package org.crabro.samples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.crabro.server.CrabroServer;
import tools.jackson.databind.JsonNode;

/** A server that keeps documents of some types, in mode streaming, and is asked queries. */
final class StreamingServer implements AutoCloseable {
    private final Http http = new Http();
    private final CrabroServer server;

    /**
     * @param schemas by the name of the type
     */
    StreamingServer(Path data, Map<String, String> schemas) throws Exception {
        this(data, schemas, "");
    }

    /**
     * @param schemas by the name of the type
     * @param settings what else stands in the content cluster
     */
    StreamingServer(Path data, Map<String, String> schemas, String settings) throws Exception {
        server = CrabroServer.start(TestSettings.onAnyPorts(data));
        var documents = new StringBuilder();
        var files = new TreeMap<String, String>();
        schemas.forEach((type, schema) -> {
            documents.append("<document type=\"").append(type).append("\" mode=\"streaming\"/>");
            files.put("schemas/" + type + ".sd", schema);
        });
        files.put(
                "services.xml",
                """
                <services version="1.0">
                  <container id="default" version="1.0"><search/><document-api/></container>
                  <content id="content" version="1.0">
                    <redundancy>1</redundancy>
                    <documents>%s</documents>%s
                  </content>
                </services>
                """
                        .formatted(documents, settings));
        Http.Answer deployed =
                http.post(
                        server.config()
                                .resolve("/application/v2/tenant/default/prepareandactivate"),
                        "application/zip",
                        Http.zip(files));
        assertThat(deployed.status()).as("%s", deployed).isEqualTo(200);
    }

    /** Puts a document, which has to go well. */
    void put(String path, String fields) throws IOException, InterruptedException {
        Http.Answer answer =
                http.post(
                        server.container().resolve("/document/v1/" + path),
                        "application/json",
                        ("{\"fields\":" + fields + "}").getBytes(UTF_8));
        assertThat(answer.status()).as("%s", answer).isEqualTo(200);
    }

    /** Feeds lines of JSON, which all have to go well. */
    void feed(List<String> lines) throws IOException, InterruptedException {
        Http.Answer answer =
                http.post(
                        server.container().resolve("/document/v1/?answers=failed"),
                        "application/jsonl",
                        String.join("\n", lines).getBytes(UTF_8));
        assertThat(answer.body().toString()).contains("\"ok\":" + lines.size() + ",\"failed\":0");
    }

    /**
     * Asks a query, with time enough.
     *
     * @param parameters names and values by turns
     */
    Http.Answer search(String... parameters) throws IOException, InterruptedException {
        var query = new StringBuilder("/search/?timeout=60s");
        for (int i = 0; i < parameters.length; i += 2) {
            query.append('&')
                    .append(URLEncoder.encode(parameters[i], UTF_8))
                    .append('=')
                    .append(URLEncoder.encode(parameters[i + 1], UTF_8));
        }
        return http.get(URI.create(server.container().toString()).resolve(query.toString()));
    }

    /** Posts a search as JSON. */
    Http.Answer post(String body) throws IOException, InterruptedException {
        return http.post(
                server.container().resolve("/search/"), "application/json", body.getBytes(UTF_8));
    }

    /** Returns the root of an answer that has to go well. */
    JsonNode root(String... parameters) throws IOException, InterruptedException {
        Http.Answer answer = search(parameters);
        assertThat(answer.status()).as("%s", answer).isEqualTo(200);
        return answer.body().path("root");
    }

    /**
     * Asks a query, and requires a status and what the answer has: parts with {@code .*} between
     * them in their order. Behind a bang stands what it has not.
     *
     * @param number of what the query shows, for who reads that it does not
     */
    void require(int number, int status, String expected, List<String> parameters)
            throws IOException, InterruptedException {
        Http.Answer answer = search(parameters.toArray(String[]::new));
        String body = answer.body().toString();
        assertThat(answer.status()).as("%d: %s", number, body).isEqualTo(status);
        if (expected.startsWith("!")) {
            assertThat(body).as("%d", number).doesNotContain(expected.substring(1));
        } else {
            assertThat(body).as("%d", number).containsSubsequence(expected.split("\\.\\*", -1));
        }
    }

    /** Returns names and values by turns of parameters such as {@code hits=1&offset=2}. */
    static List<String> pairs(String parameters) {
        var pairs = new ArrayList<String>();
        for (String each : parameters.split("&", -1)) {
            int equals = each.indexOf('=');
            pairs.addAll(List.of(each.substring(0, equals), each.substring(equals + 1)));
        }
        return pairs;
    }

    /** Returns the ends of the ids of hits, in their order. */
    static List<String> ids(JsonNode root) {
        var ids = new ArrayList<String>();
        for (JsonNode child : root.path("children")) {
            if (child.has("fields") && child.path("fields").has("documentid")) {
                String id = child.path("fields").path("documentid").asString();
                ids.add(id.substring(id.lastIndexOf(':') + 1));
            }
        }
        return ids;
    }

    /** Returns groups on one line: ids with what is shown of them, lists in brackets. */
    static String groups(JsonNode root) {
        var text = new StringBuilder();
        for (JsonNode child : root.path("children")) {
            if (child.path("id").asString().startsWith("group:root:")) {
                add(child, text);
            }
        }
        return text.toString().strip();
    }

    private static void add(JsonNode node, StringBuilder into) {
        String id = node.path("id").asString();
        if (id.startsWith("group:root:")) {
            addFields(node, into);
        } else if (id.startsWith("group:")) {
            into.append(' ').append(id.substring("group:".length()));
            addFields(node, into);
        } else if (node.path("fields").has("documentid")) {
            String document = node.path("fields").path("documentid").asString();
            into.append(' ').append(document.substring(document.lastIndexOf(':') + 1));
        }
        boolean isList = id.startsWith("grouplist:") || id.startsWith("hitlist:");
        if (isList) {
            into.append(" [");
        }
        for (JsonNode child : node.path("children")) {
            add(child, into);
        }
        if (isList) {
            into.append("]");
        }
    }

    private static void addFields(JsonNode node, StringBuilder into) {
        if (!node.path("fields").isEmpty()) {
            into.append(node.path("fields").toString().replace("\"", ""));
        }
    }

    @Override
    public void close() {
        http.close();
        server.close();
    }
}
