package org.crabro.client.cluster;

import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Starts a server of a cluster on this machine again. */
@Command(
        name = "start",
        mixinStandardHelpOptions = true,
        description = "Starts a server of the cluster that was killed, or a further one.",
        footerHeading = "%nExamples:%n",
        footer = "  crabro cluster start 2")
final class ClusterStartCommand implements Callable<Integer> {
    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "NUMBER", description = "Number of the server, from 1.")
    private int number;

    @Mixin private ClusterDirectory directory = new ClusterDirectory();

    @Override
    public Integer call() throws IOException, InterruptedException {
        directory.cluster().start(number);
        spec.commandLine().getOut().println(LocalCluster.name(number) + " is up");
        return 0;
    }
}
