package org.crabro.client.cluster;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** All that is done for several machines; each has a command of its own below. */
@Command(
        name = "cluster",
        mixinStandardHelpOptions = true,
        subcommands = {
            ClusterUpCommand.class,
            ClusterStatusCommand.class,
            ClusterKillCommand.class,
            ClusterStartCommand.class,
            ClusterDownCommand.class,
            CertificatesCommand.class
        },
        description = "Starts and shows clusters of several servers.",
        footerHeading = "%nExamples:%n",
        footer = {"  crabro cluster up 3", "  crabro cluster status"})
public final class ClusterCommand implements Runnable {
    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "expected a command: up, status, kill, start, down, adopt or certificates");
    }
}
