package org.crabro.client.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.crabro.client.http.UnreachableServerException;
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

/** Prints whether both ports of a server answer, and what they say. */
@Command(
        name = "status",
        mixinStandardHelpOptions = true,
        description = {
            "Prints the state of a server: its ports for documents and for packages.",
            "The exit status is 0 if both are up, 69 if no port answers, and 1 otherwise."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  crabro status",
            "  crabro status --target https://search.example.com:8443 --cacert authority.pem",
            "  crabro status --json"
        })
public final class StatusCommand implements Callable<Integer> {
    private static final JsonMapper JSON = new JsonMapper();
    private static final String UP = "up";
    private static final String UNREACHABLE = "unreachable";

    @Spec private CommandSpec spec = CommandSpec.create();

    @Option(names = "--json", description = "Print a line of JSON for each port.")
    private boolean isJson;

    @Mixin private DocumentsTarget target = new DocumentsTarget();

    @Option(
            names = "--config",
            paramLabel = "URL",
            defaultValue = "${env:CRABRO_CONFIG:-http://127.0.0.1:19071}",
            description = "The server's port for packages (${DEFAULT-VALUE}).")
    private URI config = URI.create("http://127.0.0.1:19071");

    /** The state of a port. */
    private record PortState(String port, URI address, String state, String message) {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        List<PortState> states = new ArrayList<>();
        try (var calls = target.calls()) {
            states.add(state(calls, "documents", target.server().address()));
            states.add(state(calls, "packages", config));
        }
        PrintWriter out = spec.commandLine().getOut();
        if (isJson) {
            for (PortState each : states) {
                out.println(
                        JSON.writeValueAsString(
                                Map.of(
                                        "port", each.port(),
                                        "address", each.address().toString(),
                                        "state", each.state(),
                                        "message", each.message())));
            }
        } else {
            var table = new ResultTable(List.of("port", "address", "state", "message"));
            for (PortState each : states) {
                table.add(
                        List.of(
                                each.port(),
                                each.address().toString(),
                                each.state(),
                                each.message()));
            }
            boolean isColored = spec.commandLine().getColorScheme().ansi().enabled();
            table.lines(Math.max(100, TerminalOutput.columns()), isColored).forEach(out::println);
        }
        out.flush();
        return status(states);
    }

    private static int status(List<PortState> states) {
        if (states.stream().allMatch(each -> each.state().equals(UP))) {
            return ExitStatus.DONE;
        }
        return states.stream().allMatch(each -> each.state().equals(UNREACHABLE))
                ? ExitStatus.UNREACHABLE
                : ExitStatus.FAILED;
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
