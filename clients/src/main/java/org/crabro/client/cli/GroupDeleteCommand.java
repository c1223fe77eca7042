package org.crabro.client.cli;

import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Removes a group whole, in one step. */
@Command(
        name = "delete",
        mixinStandardHelpOptions = true,
        description = "Removes all documents of a type in a group in one step.",
        footerHeading = "%nExamples:%n",
        footer = {"  crabro group delete home note anna --yes"})
final class GroupDeleteCommand implements Callable<Integer> {
    @Spec private CommandSpec spec = CommandSpec.create();

    @Mixin private GroupName group = new GroupName();

    @Option(names = "--yes", description = "Required, because the removal cannot be undone.")
    private boolean isSure;

    @Option(
            names = "--all-namespaces",
            description = "Also documents of the group whose ids have another namespace.")
    private boolean ofAllNamespaces;

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (!isSure) {
            throw new ParameterException(
                    spec.commandLine(), "add --yes to remove all documents of " + group);
        }
        try (var calls = group.calls()) {
            calls.delete(
                    group.address(
                            "wholeGroup=true" + (ofAllNamespaces ? "&allNamespaces=true" : "")));
        }
        spec.commandLine().getErr().println("removed " + group);
        spec.commandLine().getErr().flush();
        return 0;
    }
}
