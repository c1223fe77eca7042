package org.crabro.client.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.crabro.client.terminal.ManPage;
import org.crabro.client.terminal.TerminalOutput;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows the manual page of a command, or writes all pages. */
@Command(
        name = "man",
        mixinStandardHelpOptions = true,
        description = {
            "Shows the manual page of a command, or writes those of all commands.",
            "Prints the source of the page if the output is no terminal, or man is not installed."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  crabro man query",
            "  crabro man document put",
            "  crabro man --all ~/.local/share/man/man1"
        })
public final class ManCommand implements Callable<Integer> {
    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(
            paramLabel = "COMMAND",
            arity = "0..*",
            description = "The command, and the one below it.")
    private List<String> names = List.of();

    @Option(
            names = "--all",
            paramLabel = "DIR",
            description = "Write a page for each command into this directory.")
    private @Nullable Path directory;

    @Override
    public Integer call() throws IOException, InterruptedException {
        CommandLine root = spec.root().commandLine();
        Path all = directory;
        if (all != null) {
            Files.createDirectories(all);
            write(root, all);
            return ExitStatus.DONE;
        }
        String page = page(named(root));
        if (TerminalOutput.isOut() && isShown(page)) {
            return ExitStatus.DONE;
        }
        PrintWriter out = spec.commandLine().getOut();
        out.print(page);
        out.flush();
        return ExitStatus.DONE;
    }

    private CommandLine named(CommandLine root) {
        CommandLine command = root;
        for (String name : names) {
            CommandLine below = command.getSubcommands().get(name);
            if (below == null) {
                throw new ParameterException(
                        spec.commandLine(),
                        "there is no command '%s'; the commands are %s"
                                .formatted(
                                        String.join(" ", names),
                                        String.join(", ", command.getSubcommands().keySet())));
            }
            command = below;
        }
        return command;
    }

    private String page(CommandLine command) {
        return ManPage.of(command, String.join(" ", spec.root().version()));
    }

    private void write(CommandLine command, Path into) throws IOException {
        Files.writeString(into.resolve(ManPage.name(command) + ".1"), page(command));
        for (CommandLine below : command.getSubcommands().values()) {
            write(below, into);
        }
    }

    /** Returns whether the program man showed a page. */
    private static boolean isShown(String page) throws IOException, InterruptedException {
        Path file = Files.createTempFile("crabro", ".1");
        try {
            Files.writeString(file, page);
            return new ProcessBuilder("man", file.toString()).inheritIO().start().waitFor() == 0;
        } catch (IOException _) {
            // There is no such program.
            return false;
        } finally {
            Files.deleteIfExists(file);
        }
    }
}
