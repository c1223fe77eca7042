package org.crabro.client.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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
        },
        footerHeading = "%nExamples:%n",
        footer = {"  crabro settle", "  crabro settle --timeout 1h"})
public final class SettleCommand implements Callable<Integer> {
    private static final Duration PAUSE = Duration.ofMillis(500);

    @Spec private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            defaultValue = "10m",
            description =
                    "No merge begins after it: seconds, or a number with s, m or h "
                            + "(${DEFAULT-VALUE}).")
    private String timeout = "10m";

    @Mixin private ConfigTarget config = new ConfigTarget();

    /** The work left that was printed last. */
    private String printed = "";

    @Override
    public Integer call() throws IOException, InterruptedException {
        try (var calls = config.calls()) {
            JsonNode reply =
                    Polling.until(
                            this::isEnded,
                            calls.settle(config.address(), timeout),
                            () -> calls.lastSettle(config.address()),
                            PAUSE);
            boolean isSettled = reply.path("state").asString().equals("settled");
            PrintWriter out = spec.commandLine().getOut();
            out.println((isSettled ? "settled: " : "time is over: ") + left(reply));
            out.flush();
            return isSettled ? 0 : 1;
        }
    }

    /** Returns whether the work has ended. If not, prints the work left when it has changed. */
    private boolean isEnded(JsonNode reply) {
        if (!reply.path("state").asString().equals("running")) {
            return true;
        }
        String left = left(reply);
        if (!left.equals(printed)) {
            spec.commandLine().getErr().println(left);
            spec.commandLine().getErr().flush();
            printed = left;
        }
        return false;
    }

    private static String left(JsonNode reply) {
        return "%d bytes of recent documents, %d partitions to merge"
                .formatted(
                        reply.path("recentBytes").asLong(),
                        reply.path("unmergedPartitions").asInt());
    }
}
