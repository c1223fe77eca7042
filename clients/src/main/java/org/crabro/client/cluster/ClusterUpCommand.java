package org.crabro.client.cluster;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.crabro.client.process.ProgressWatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
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
        footer = {
            "  crabro cluster up 3",
            "  crabro cluster kill 2",
            "  crabro cluster up --port-offset 1000 --directory second"
        })
final class ClusterUpCommand implements Callable<Integer> {
    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(
            paramLabel = "SERVERS",
            defaultValue = "3",
            description = "Number of servers, 1 to " + LocalCluster.SERVERS_MAX + " (3).")
    private int servers = 3;

    @Option(
            names = "--port-offset",
            paramLabel = "NUMBER",
            description =
                    "Add this to each port, for a second cluster on this machine: 0 to "
                            + LocalCluster.PORT_OFFSET_MAX
                            + " (0). Later commands take it from the directory.")
    private Optional<Integer> portOffset = Optional.empty();

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
        begin(cluster);
        cluster.startAll(
                servers,
                number -> {
                    out.printf("%s is up%n", LocalCluster.name(number));
                    out.flush();
                });
        new LeaderWait(cluster, ProgressWatch.begin()).await();
        out.printf("Deploy a package whose hosts.xml names these hosts: %s%n", cluster.config());
        return 0;
    }

    private void begin(LocalCluster cluster) throws IOException {
        int wanted = portOffset.orElse(0);
        if (wanted < 0 || wanted > LocalCluster.PORT_OFFSET_MAX) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--port-offset is %d, expected 0 to %d"
                            .formatted(wanted, LocalCluster.PORT_OFFSET_MAX));
        }
        cluster.begin(servers, wanted);
        if (portOffset.isPresent() && cluster.portOffset() != wanted) {
            throw new ParameterException(
                    spec.commandLine(),
                    "The cluster in '%s' has --port-offset %d, which cannot change"
                            .formatted(cluster.directory(), cluster.portOffset()));
        }
    }
}
