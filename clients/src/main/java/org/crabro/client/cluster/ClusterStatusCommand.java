package org.crabro.client.cluster;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.crabro.client.cli.OutputOptions;
import org.crabro.client.http.ServerAccess;
import org.crabro.client.terminal.OutputFormat;
import org.crabro.client.terminal.RecordOutput;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Prints the hosts, nodes and shards of a cluster. */
@Command(
        name = "status",
        mixinStandardHelpOptions = true,
        description = "Prints the hosts, nodes and shards of a cluster.",
        footerHeading = "%nExamples:%n",
        footer = {"  crabro cluster status", "  crabro cluster status --json"})
final class ClusterStatusCommand implements Callable<Integer> {
    private static final JsonMapper JSON = new JsonMapper();
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(30);
    private static final int OK = 200;
    private static final int MEGABYTE = 1_000_000;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Mixin private OutputOptions output = new OutputOptions();

    @Option(
            names = "--config",
            paramLabel = "URL",
            defaultValue = "${env:CRABRO_CONFIG}",
            split = ",",
            description =
                    "The config servers' ports for packages; the first one that answers is asked."
                            + " Without it, CRABRO_CONFIG, or else the cluster of --directory.")
    private @Nullable List<URI> configs;

    @Mixin private ClusterDirectory directory = new ClusterDirectory();

    @Override
    public Integer call() throws IOException, InterruptedException {
        OutputFormat format = output.orElse(OutputFormat.TABLE);
        HttpResponse<String> answer;
        try (HttpClient client = HttpClient.newBuilder().connectTimeout(CONNECT_TIMEOUT).build()) {
            answer = ask(client, configs != null ? configs : directory.cluster().configs());
        }
        PrintWriter out = spec.commandLine().getOut();
        if (answer.statusCode() != OK) {
            spec.commandLine().getErr().println(answer.uri() + ": " + answer.body());
            return 1;
        }
        switch (format) {
            case JSON -> out.println(answer.body());
            case JSONL, CSV -> RecordOutput.print(rows(JSON.readTree(answer.body())), format, spec);
            case TABLE -> print(JSON.readTree(answer.body()), out);
        }
        return 0;
    }

    /** Returns the answer of the first config server that can be reached. */
    private static HttpResponse<String> ask(HttpClient client, List<URI> configs)
            throws IOException, InterruptedException {
        List<String> problems = new ArrayList<>();
        for (URI config : configs) {
            try {
                return ServerAccess.of(config)
                        .send(
                                client,
                                HttpRequest.newBuilder(config.resolve("/cluster/v2"))
                                        .timeout(ANSWER_TIMEOUT)
                                        .build(),
                                HttpResponse.BodyHandlers.ofString());
            } catch (IOException e) {
                problems.add(
                        "%s (%s)".formatted(config, e.getMessage() == null ? e : e.getMessage()));
            }
        }
        throw new IOException("no config server can be reached: " + String.join(", ", problems));
    }

    /** Returns a row for each config server, each host, and each node of a content cluster. */
    private static List<JsonNode> rows(JsonNode status) {
        List<JsonNode> rows = new ArrayList<>();
        for (JsonNode server : status.path("configServers")) {
            rows.add(row("config server").setAll((ObjectNode) server));
        }
        for (JsonNode host : status.path("hosts")) {
            rows.add(row("host").setAll((ObjectNode) host));
        }
        for (JsonNode content : status.path("contents")) {
            for (Map.Entry<String, JsonNode> node : content.path("nodes").properties()) {
                rows.add(
                        row("node")
                                .put("cluster", content.path("name").asString())
                                .put("name", node.getKey())
                                .put("status", node.getValue().path("status").asString())
                                .put("leads", leads(content, node.getKey()))
                                .put("replicas", replicas(content, node.getKey())));
            }
        }
        return rows;
    }

    private static ObjectNode row(String kind) {
        return JSON.createObjectNode().put("kind", kind);
    }

    private static void print(JsonNode status, PrintWriter out) {
        out.printf(
                "generation %d, version %d of formats%n",
                status.path("generation").asLong(), status.path("format").asInt());
        for (JsonNode server : status.path("configServers")) {
            out.printf(
                    "config server %s: %s%s%n",
                    server.path("name").asString(),
                    server.path("isUp").asBoolean()
                            ? server.path("isVoting").asBoolean() ? "up" : "up, does not vote yet"
                            : "down",
                    server.path("isLeader").asBoolean() ? ", leads" : "");
        }
        for (JsonNode host : status.path("hosts")) {
            boolean isUp = host.path("isUp").asBoolean();
            out.printf(
                    "host %s: %s%s, generation %d%n",
                    host.path("name").asString(),
                    isUp ? "up" : "down",
                    host.path("isMaintained").asBoolean() ? ", in maintenance" : "",
                    host.path("generation").asLong());
        }
        for (JsonNode content : status.path("contents")) {
            out.printf(
                    "content cluster %s: %d of %d shards have a leader, %d moves%n",
                    content.path("name").asString(),
                    led(content),
                    content.path("shards").size(),
                    content.path("moves").size());
            content.path("nodes")
                    .properties()
                    .forEach(node ->
                            out.printf(
                                    "  node %s: %s, leads %d, has %d replicas%n",
                                    node.getKey(),
                                    node.getValue()
                                            .path("status")
                                            .asString()
                                            .toLowerCase(Locale.ROOT),
                                    leads(content, node.getKey()),
                                    replicas(content, node.getKey())));
            for (JsonNode copy : content.path("copies")) {
                out.printf(
                        "  shard %d is copied from node %d to node %d: %d of %d MB%n",
                        copy.path("shard").asInt(),
                        copy.path("from").asInt(),
                        copy.path("node").asInt(),
                        copy.path("copiedBytes").asLong() / MEGABYTE,
                        copy.path("bytes").asLong() / MEGABYTE);
            }
            for (JsonNode missing : content.path("missing")) {
                out.printf(
                        "  node %d has no replica of shard %d yet%n",
                        missing.path("node").asInt(), missing.path("shard").asInt());
            }
        }
    }

    private static List<JsonNode> shards(JsonNode content) {
        return StreamSupport.stream(content.path("shards").spliterator(), false).toList();
    }

    private static long led(JsonNode content) {
        return shards(content).stream().filter(shard -> !shard.path("leader").isNull()).count();
    }

    private static long leads(JsonNode content, String node) {
        return shards(content).stream()
                .filter(shard -> shard.path("leader").asString("").equals(node))
                .count();
    }

    private static long replicas(JsonNode content, String node) {
        Stream<JsonNode> voters = shards(content).stream().map(shard -> shard.path("voters"));
        Stream<JsonNode> listeners =
                StreamSupport.stream(content.path("listeners").spliterator(), false)
                        .map(shard -> shard.path("replicas"));
        return Stream.concat(voters, listeners)
                .flatMap(replicas -> StreamSupport.stream(replicas.spliterator(), false))
                .filter(replica -> replica.path("node").asString("").equals(node))
                .count();
    }
}
