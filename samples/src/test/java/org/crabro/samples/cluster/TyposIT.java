package org.crabro.samples.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.URLEncoder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.crabro.samples.fixture.Http;
import org.crabro.samples.fixture.TestSettings;
import org.crabro.server.CrabroServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Words with typos, and beginnings, in a cluster of three nodes, each with a part of documents. */
class TyposIT {
    private static final int DOCUMENTS = 240;
    private static final int GROUPS = 12;

    private static final String SCHEMA =
            """
            schema TYPE {
                document TYPE {
                    field title type string {
                        indexing: index | summary
                        stemming: none
                    }
                    field number type int { indexing: attribute | summary }
                }
                fieldset default { fields: title }
            }
            """;

    private static final List<String> CONDITIONS =
            List.of(
                    "{typos: true}userInput(\"restuarant\")",
                    "{typos: true}userInput(\"coffe\")",
                    "{typos: true}userInput(\"harbor\")",
                    "{typos: true}userInput(\"singular\")",
                    "{typos: true}userInput(\"nothingsimilar\")",
                    "{beginning: true}userInput(\"rest\")",
                    "{beginning: true}userInput(\"c\")",
                    "{beginning: true}userInput(\"word1\")",
                    "{typos: true, beginning: true}userInput(\"cofee har\")",
                    "{typos: true, grammar: \"all\"}userInput(\"cofee harbuor\")",
                    "{typos: true}userInput(\"wordz\")");

    @TempDir Path directory;

    /** Words of every document, of some, and of one alone, so that nodes have different words. */
    private static String title(int number) {
        var title = new StringBuilder("note");
        if (number % 3 == 0) {
            title.append(" coffee");
        }
        if (number % 5 == 0) {
            title.append(" restaurant");
        }
        if (number % 7 == 0) {
            title.append(" harbour");
        }
        if (number % 11 == 0) {
            title.append(" restaurants");
        }
        if (number == 100) {
            title.append(" singularr");
        }
        return title.append(" word")
                .append((char) ('a' + number % 26))
                .append(" word1x")
                .toString();
    }

    private static String documents() {
        var lines = new StringBuilder();
        for (String type : List.of("streamed", "indexed")) {
            for (int i = 0; i < DOCUMENTS; i++) {
                lines.append(
                        "{\"put\":\"id:a:%s:g=g%d:%d\",\"fields\":{\"title\":\"%s\",\"number\":%d}}\n"
                                .formatted(type, i % GROUPS, i, title(i), i));
            }
        }
        return lines.toString();
    }

    private static Map<String, String> schemas() {
        return Map.of(
                "schemas/streamed.sd",
                SCHEMA.replace("TYPE", "streamed"),
                "schemas/indexed.sd",
                SCHEMA.replace("TYPE", "indexed"));
    }

    private static void feed(Http http, URI container) throws Exception {
        Http.Answer fed =
                http.post(
                        container.resolve("/document/v1/?answers=failed"),
                        "application/jsonl",
                        documents().getBytes(UTF_8));
        assertThat(fed.body().toString()).contains("\"failed\":0");
    }

    /** Returns the answers to all queries: the count, and the ids in order. */
    private static List<String> answers(Http http, URI container) throws Exception {
        var answers = new ArrayList<String>();
        for (String type : List.of("streamed", "indexed")) {
            for (String scope : List.of("streaming.selection=true", "streaming.groupname=g4")) {
                for (String condition : CONDITIONS) {
                    String yql =
                            "select number from %s where %s order by number limit 400"
                                    .formatted(type, condition);
                    Http.Answer answer =
                            http.get(
                                    container.resolve(
                                            "/search/?timeout=60s&%s&yql=%s"
                                                    .formatted(
                                                            scope, URLEncoder.encode(yql, UTF_8))));
                    assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
                    JsonNode root = answer.body().path("root");
                    assertThat(root.at("/coverage/coverage").asInt()).isEqualTo(100);
                    var numbers = new ArrayList<Integer>();
                    for (JsonNode hit : root.path("children")) {
                        numbers.add(hit.at("/fields/number").asInt());
                    }
                    assertThat(numbers).hasSize(root.at("/fields/totalCount").asInt());
                    answers.add(type + " " + scope + " " + condition + " " + numbers);
                }
            }
        }
        return answers;
    }

    @Test
    void findTheSameAsOnOneNode() throws Exception {
        String types =
                "<document type='streamed' mode='streaming'/><document type='indexed' mode='index'/>";
        List<String> expected;
        try (var http = new Http();
                var server =
                        CrabroServer.start(TestSettings.onAnyPorts(directory.resolve("one")))) {
            var files = new java.util.HashMap<>(schemas());
            files.put(
                    "services.xml",
                    """
                    <services version="1.0">
                      <container id="default" version="1.0"><search/><document-api/></container>
                      <content id="notes" version="1.0">
                        <min-redundancy>1</min-redundancy>
                        <documents>%s</documents>
                      </content>
                    </services>
                    """
                            .formatted(types));
            Http.Answer deployed =
                    http.post(
                            server.config()
                                    .resolve("/application/v2/tenant/default/prepareandactivate"),
                            "application/zip",
                            Http.zip(files));
            assertThat(deployed.status()).as(deployed.toString()).isEqualTo(200);
            feed(http, server.container());
            expected = answers(http, server.container());
        }
        assertThat(expected).anyMatch(each -> each.endsWith("[100]"));
        assertThat(expected).filteredOn(each -> each.endsWith("[]")).hasSizeBetween(4, 12);

        try (var cluster = new HostCluster(directory.resolve("three"), 1)) {
            cluster.startAll(3);
            ClusterPackage three = ClusterPackage.of(3, Optional.empty(), 1, types);
            var files = new java.util.HashMap<>(schemas());
            files.put("hosts.xml", three.hosts());
            files.put("services.xml", three.services());
            Http.Answer deployed = cluster.deploy(0, files);
            assertThat(deployed.status()).as(deployed.toString()).isEqualTo(200);
            cluster.awaitNodes(1);
            feed(cluster.http(), cluster.container(0));
            for (JsonNode node : cluster.status(0).at("/contents/0/nodes")) {
                assertThat(node.path("status").asString()).isEqualTo("UP");
            }

            assertThat(answers(cluster.http(), cluster.container(0))).isEqualTo(expected);
            assertThat(answers(cluster.http(), cluster.container(1))).isEqualTo(expected);
        }
    }
}
