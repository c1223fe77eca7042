package org.crabro.client.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Starts the servers of a cluster on this machine. */
@Command(
        name = "up",
        mixinStandardHelpOptions = true,
        description =
                "Starts a cluster of servers on this machine. n1, n2 and n3 are config servers, or n1"
                        + " alone if there are fewer than three.",
        footerHeading = "%nExamples:%n",
        footer = {"  crabro cluster up 3", "  crabro cluster kill 2"})
final class ClusterUpCommand implements Callable<Integer> {
    /** The time until a config server leads. */
    private static final Duration READY_WAIT = Duration.ofSeconds(30);

    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(
            paramLabel = "SERVERS",
            defaultValue = "3",
            description = "Number of servers, 1 to " + LocalCluster.SERVERS_MAX + " (3).")
    private int servers = 3;

    @Mixin private ClusterDirectory directory = new ClusterDirectory();

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (servers < 1 || servers > LocalCluster.SERVERS_MAX) {
            throw new ParameterException(
                    spec.commandLine(),
                    "SERVERS is %d, expected 1 to %d".formatted(servers, LocalCluster.SERVERS_MAX));
        }
        LocalCluster cluster = directory.cluster();
        PrintWriter out = spec.commandLine().getOut();
        cluster.begin(servers);
        for (int number = 1; number <= servers; number++) {
            if (cluster.process(number).isEmpty()) {
                cluster.start(number);
            }
            out.printf("%s is up%n", LocalCluster.name(number));
            out.flush();
        }
        boolean isReady = ClusterStatusCommand.await(LocalCluster.configs(), READY_WAIT);
        if (!isReady) {
            spec.commandLine()
                    .getErr()
                    .printf("no config server leads; see the logs in '%s'%n", cluster.directory());
            return 1;
        }
        out.printf(
                "Deploy a package whose hosts.xml names these hosts: %s%n", LocalCluster.config());
        return 0;
    }
}
