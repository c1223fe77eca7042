package org.crabro.client.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.crabro.client.http.ServerRefusalException;
import org.crabro.client.http.UnreachableServerException;
import org.crabro.client.query.StoredGroups;
import org.crabro.client.terminal.CsvLine;
import org.crabro.client.terminal.OutputFormat;
import org.crabro.client.terminal.ResultTable;
import org.crabro.client.terminal.TerminalOutput;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Prints whether both ports of a server answer, what it stores, and what that takes. */
@Command(
        name = "status",
        mixinStandardHelpOptions = true,
        description = {
            "Prints the state of a server: its ports for documents and for packages, its version, disk"
                    + " and memory, and its documents by type and group.",
            "The exit status is 0 if both ports are up, 69 if no port answers, and 1 otherwise."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  crabro status",
            "  crabro status --target https://search.example.com:8443 --cacert authority.pem",
            "  crabro status --limit 3 --format json"
        })
public final class StatusCommand implements Callable<Integer> {
    private static final JsonMapper JSON = new JsonMapper();
    private static final String DOCUMENTS = "documents";
    private static final String UP = "up";
    private static final String UNREACHABLE = "unreachable";
    private static final String STORED_BYTES = "vds.datastored.alldisks.bytes";
    private static final String DISK_SHARE = "content.proton.resource_usage.disk";
    private static final String HEAP_BYTES = "mem.heap.used";
    private static final String HEAP_MAX = "mem.heap.max";

    @Spec private CommandSpec spec = CommandSpec.create();

    @Option(
            names = {"-n", "--limit"},
            paramLabel = "N",
            defaultValue = "5",
            description = "The number of groups that are named, the largest (${DEFAULT-VALUE}).")
    private int limit = 5;

    @Mixin private OutputOptions output = new OutputOptions();

    @Mixin private DocumentsTarget target = new DocumentsTarget();

    @Option(
            names = "--config",
            paramLabel = "URL",
            defaultValue = "${env:CRABRO_CONFIG:-http://127.0.0.1:19071}",
            description = "The server's port for packages (${DEFAULT-VALUE}).")
    private URI config = URI.create("http://127.0.0.1:19071");

    /** The state of a port. */
    private record PortState(String port, URI address, String state, String message) {
        boolean isUp() {
            return state.equals(UP);
        }
    }

    /**
     * What a server stores. A part is missing if the server does not tell it to this sender.
     *
     * @param metrics by name
     */
    private record Contents(
            Optional<String> version, Map<String, Double> metrics, Optional<StoredGroups> groups) {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        OutputFormat format = output.orElse(OutputFormat.TABLE);
        List<PortState> states = new ArrayList<>();
        Contents contents = new Contents(Optional.empty(), Map.of(), Optional.empty());
        try (var calls = target.calls()) {
            states.add(state(calls, DOCUMENTS, target.server().address()));
            states.add(state(calls, "packages", config));
            if (!states.getFirst().state().equals(UNREACHABLE)) {
                contents = contents(calls);
            }
        }
        PrintWriter out = spec.commandLine().getOut();
        switch (format) {
            case JSON, JSONL -> printJson(states, contents, out);
            case CSV -> printCsv(states, out);
            case TABLE -> print(states, contents, out);
        }
        out.flush();
        return status(states);
    }

    private static int status(List<PortState> states) {
        if (states.stream().allMatch(PortState::isUp)) {
            return ExitStatus.DONE;
        }
        return states.stream().allMatch(each -> each.state().equals(UNREACHABLE))
                ? ExitStatus.UNREACHABLE
                : ExitStatus.FAILED;
    }

    private static void printJson(List<PortState> states, Contents contents, PrintWriter out) {
        for (PortState each : states) {
            Map<String, Object> line = new LinkedHashMap<>();
            line.put("port", each.port());
            line.put("address", each.address().toString());
            line.put("state", each.state());
            line.put("message", each.message());
            if (each.port().equals(DOCUMENTS)) {
                contents.version().ifPresent(version -> line.put("version", version));
                putMetric(contents, STORED_BYTES, "documentBytes", line);
                putMetric(contents, DISK_SHARE, "diskShare", line);
                putMetric(contents, HEAP_BYTES, "heapBytes", line);
                putMetric(contents, HEAP_MAX, "heapBytesMax", line);
                contents.groups().ifPresent(groups -> line.put("types", groups.types()));
            }
            out.println(JSON.writeValueAsString(line));
        }
    }

    private static void putMetric(
            Contents contents, String metric, String name, Map<String, Object> into) {
        Double value = contents.metrics().get(metric);
        if (value != null) {
            into.put(name, value);
        }
    }

    private static void printCsv(List<PortState> states, PrintWriter out) {
        out.println("port,address,state,message");
        for (PortState each : states) {
            out.println(
                    CsvLine.of(
                            List.of(
                                    each.port(),
                                    each.address().toString(),
                                    each.state(),
                                    each.message())));
        }
    }

    private void print(List<PortState> states, Contents contents, PrintWriter out) {
        var ports = new ResultTable(List.of("port", "address", "state", "message"));
        for (PortState each : states) {
            ports.add(
                    List.of(each.port(), each.address().toString(), each.state(), each.message()));
        }
        print(ports, out);
        List<String> lines = new ArrayList<>();
        contents.version().ifPresent(version -> lines.add("version  " + version));
        Map<String, Double> metrics = contents.metrics();
        if (metrics.containsKey(STORED_BYTES) && metrics.containsKey(DISK_SHARE)) {
            lines.add(
                    String.format(
                            Locale.ROOT,
                            "disk     %s of documents; %.0f %% of the disk is used",
                            bytes(metrics.get(STORED_BYTES)),
                            100 * metrics.get(DISK_SHARE)));
        }
        if (metrics.containsKey(HEAP_BYTES) && metrics.containsKey(HEAP_MAX)) {
            lines.add(
                    "memory   %s of %s of the heap"
                            .formatted(
                                    bytes(metrics.get(HEAP_BYTES)), bytes(metrics.get(HEAP_MAX))));
        }
        if (!lines.isEmpty()) {
            out.println();
            lines.forEach(out::println);
        }
        contents.groups()
                .ifPresent(groups -> {
                    out.println();
                    print(types(groups), out);
                    if (!groups.isComplete()) {
                        out.println("Not all documents were counted: the time was up.");
                    }
                });
    }

    private void print(ResultTable table, PrintWriter out) {
        boolean isColored = spec.commandLine().getColorScheme().ansi().enabled();
        table.lines(Math.max(100, TerminalOutput.columns()), isColored).forEach(out::println);
    }

    private static ResultTable types(StoredGroups stored) {
        var table = new ResultTable(List.of("type", "documents", "groups", "largest groups"));
        for (StoredGroups.Type type : stored.types()) {
            table.add(
                    List.of(
                            type.name(),
                            String.format(Locale.ROOT, "%,d", type.documents()),
                            String.format(Locale.ROOT, "%,d", type.groupCount()),
                            type.groups().stream()
                                    .map(group ->
                                            String.format(
                                                    Locale.ROOT,
                                                    "%s (%,d)",
                                                    group.name(),
                                                    group.documents()))
                                    .collect(Collectors.joining(", "))));
        }
        return table;
    }

    /** Returns a size with its unit. */
    private static String bytes(double count) {
        double size = count;
        for (String unit : List.of("bytes", "KiB", "MiB")) {
            if (size < 1024) {
                return String.format(
                        Locale.ROOT,
                        size < 10 && size % 1 != 0 ? "%.1f %s" : "%.0f %s",
                        size,
                        unit);
            }
            size /= 1024;
        }
        return String.format(Locale.ROOT, "%.1f GiB", size);
    }

    /** Reads what the server tells this sender. */
    private Contents contents(ServerCalls calls) throws IOException, InterruptedException {
        URI documents = target.server().address();
        Optional<JsonNode> version = answer(calls, documents.resolve("/state/v1/version"));
        Map<String, Double> metrics = new LinkedHashMap<>();
        answer(calls, documents.resolve("/state/v1/metrics"))
                .ifPresent(answer -> {
                    for (JsonNode each : answer.path("metrics").path("values")) {
                        JsonNode last = each.path("values").path("last");
                        if (last.isNumber()) {
                            metrics.put(each.path("name").asString(""), last.asDouble());
                        }
                    }
                });
        return new Contents(
                version.map(answer -> answer.path("version").asString("")),
                metrics,
                answer(calls, documents.resolve("/crabro/v1/groups?limit=" + limit))
                        .map(StoredGroups::of));
    }

    private static Optional<JsonNode> answer(ServerCalls calls, URI address)
            throws IOException, InterruptedException {
        try {
            return Optional.of(calls.get(address));
        } catch (ServerRefusalException | JacksonException e) {
            // Not allowed, not there, or no Crabro: the states of the ports say more.
            return Optional.empty();
        }
    }

    private PortState state(ServerCalls calls, String port, URI address)
            throws IOException, InterruptedException {
        try {
            HttpResponse<String> response =
                    calls.exchange(
                            target.server().request(address.resolve("/state/v1/health")).GET());
            if (response.statusCode() != 200) {
                return new PortState(
                        port, address, "error", "status " + response.statusCode() + " of health");
            }
            JsonNode status = JSON.readTree(response.body()).path("status");
            return new PortState(
                    port,
                    address,
                    status.path("code").asString("unknown"),
                    status.path("message").asString(""));
        } catch (UnreachableServerException e) {
            return new PortState(
                    port,
                    address,
                    UNREACHABLE,
                    e.isUnknownHost()
                            ? String.valueOf(e.getMessage())
                            : "start a server with 'crabro serve'");
        } catch (JacksonException e) {
            return new PortState(port, address, "error", "the answer is no JSON: no Crabro?");
        }
    }
}
