package org.crabro.client.cluster;

import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Ends a server of a cluster on this machine without warning. */
@Command(
        name = "kill",
        mixinStandardHelpOptions = true,
        description = "Ends a server of the cluster at once, as kill -9 does.",
        footerHeading = "%nExamples:%n",
        footer = "  crabro cluster kill 2")
final class ClusterKillCommand implements Callable<Integer> {
    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "NUMBER", description = "Number of the server, from 1.")
    private int number;

    @Mixin private ClusterDirectory directory = new ClusterDirectory();

    @Override
    public Integer call() throws IOException, InterruptedException {
        boolean ran = directory.cluster().kill(number);
        String name = LocalCluster.name(number);
        if (ran) {
            spec.commandLine().getOut().println(name + " is killed");
        } else {
            spec.commandLine().getErr().println(name + " does not run");
        }
        return ran ? 0 : 1;
    }
}
