package org.crabro.client.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/** Has a server flush and merge everything, and waits until that is done. */
@Command(
        name = "settle",
        mixinStandardHelpOptions = true,
        description = {
            "Writes all recent documents of a server to files, and merges files until no merge is due,"
                    + " while the server serves.",
            "The exit status is 1 if merges are left when the time is over."
        })
public final class SettleCommand implements Callable<Integer> {
    private static final long POLL_MILLIS = 500;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            defaultValue = "10m",
            description =
                    "No merge begins after it: seconds, or a number with s, m or h "
                            + "(${DEFAULT-VALUE}).")
    private String timeout = "10m";

    @Option(
            names = "--config",
            paramLabel = "URL",
            defaultValue = "http://127.0.0.1:19071",
            description = "The server's port for packages (${DEFAULT-VALUE}).")
    private URI config = URI.create("http://127.0.0.1:19071");

    @Override
    public Integer call() throws IOException, InterruptedException {
        try (var calls = new ServerCalls()) {
            JsonNode reply = calls.settle(config, timeout);
            PrintWriter progress = spec.commandLine().getErr();
            String before = "";
            while (reply.path("state").asString().equals("running")) {
                String left = left(reply);
                if (!left.equals(before)) {
                    progress.println(left);
                    progress.flush();
                    before = left;
                }
                Thread.sleep(POLL_MILLIS);
                reply = calls.lastSettle(config);
            }
            boolean isSettled = reply.path("state").asString().equals("settled");
            PrintWriter out = spec.commandLine().getOut();
            out.println((isSettled ? "settled: " : "time is over: ") + left(reply));
            out.flush();
            return isSettled ? 0 : 1;
        }
    }

    private static String left(JsonNode reply) {
        return "%d bytes of recent documents, %d partitions to merge"
                .formatted(
                        reply.path("recentBytes").asLong(),
                        reply.path("unmergedPartitions").asInt());
    }
}
