package org.crabro.client.cluster;

import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Stops all servers of a cluster on this machine. */
@Command(
        name = "down",
        mixinStandardHelpOptions = true,
        description = "Stops all servers of the cluster. Their data stays.",
        footerHeading = "%nExamples:%n",
        footer = "  crabro cluster down")
final class ClusterDownCommand implements Callable<Integer> {
    @Spec private CommandSpec spec = CommandSpec.create();
    @Mixin private ClusterDirectory directory = new ClusterDirectory();

    @Override
    public Integer call() throws IOException, InterruptedException {
        LocalCluster cluster = directory.cluster();
        LocalCluster.Stopped stopped = cluster.stopAll();
        for (int number : stopped.killed()) {
            spec.commandLine()
                    .getErr()
                    .printf(
                            "%s did not stop, so it was killed; see '%s'%n",
                            LocalCluster.name(number), cluster.log(number));
        }
        spec.commandLine().getOut().printf("%d servers are stopped%n", stopped.count());
        return 0;
    }
}
