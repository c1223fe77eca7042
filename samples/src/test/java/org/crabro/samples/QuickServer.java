package org.crabro.samples;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.crabro.client.cli.ServerProcess;

/** Servers in processes of their own that live for seconds: their code is compiled fast, once. */
final class QuickServer {
    private QuickServer() {}

    /**
     * Starts a server.
     *
     * @param settings each a name and a value, as {@code --set} takes it
     */
    static ServerProcess start(Path data, List<String> settings) throws IOException {
        return start(data, settings, Map.of());
    }

    /**
     * Does the same with further variables in the environment of the process.
     *
     * @throws IOException if it does not start; the message holds what it said
     */
    static ServerProcess start(Path data, List<String> settings, Map<String, String> environment)
            throws IOException {
        var variables = new HashMap<>(environment);
        variables.put("JAVA_TOOL_OPTIONS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC");
        return ServerProcess.start(
                Stream.concat(
                                Stream.of(
                                        "--data",
                                        data.toString(),
                                        "--port",
                                        "0",
                                        "--config-port",
                                        "0",
                                        "--set=warmUp=0s"),
                                Stream.concat(TestSettings.options().stream(), settings.stream())
                                        .flatMap(each -> Stream.of("--set", each)))
                        .toList(),
                variables);
    }
}
