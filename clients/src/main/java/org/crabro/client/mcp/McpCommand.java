package org.crabro.client.mcp;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.crabro.client.cli.DocumentsTarget;
import org.crabro.client.cli.ExitStatus;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Connects an assistant that starts programs to the tools of a server. */
@Command(
        name = "mcp",
        mixinStandardHelpOptions = true,
        description = {
            "Connects an assistant to documents: speaks MCP over standard input and output.",
            "It calls the tools of a running server. With --data it starts a server for a directory,"
                    + " unless one runs, and stops it when the input ends."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  crabro mcp                                  the server at the usual port",
            "  crabro mcp --data ~/crabro-data --group me"
        })
public final class McpCommand implements Callable<Integer> {
    @Spec private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description =
                    "The data of the server, such as the directory that 'crabro import' names.")
    private @Nullable Path data;

    @Option(
            names = {"-g", "--group"},
            paramLabel = "NAME",
            description = "The only group that the tools read.")
    private @Nullable String group;

    @Mixin private DocumentsTarget target = new DocumentsTarget();

    @Override
    public Integer call() throws IOException, InterruptedException {
        String name = group;
        if (name != null && (name.isEmpty() || name.contains(":"))) {
            throw new ParameterException(
                    spec.commandLine(), "--group is '" + name + "': expected a name without ':'");
        }
        OutputStream messages = new FileOutputStream(FileDescriptor.out);
        // Nothing but messages reaches the standard output.
        PrintStream log = System.err;
        System.setOut(log);
        Optional<Path> directory = Optional.ofNullable(data).map(McpCommand::atHome);
        if (directory.isPresent() && !Files.isDirectory(directory.get())) {
            throw new IOException(
                    "there is no directory %s: 'crabro import PATH --data DIR' makes one"
                            .formatted(directory.get()));
        }
        try (var server = BridgedServer.open(target.server(), directory, log)) {
            new McpBridge(server, Optional.ofNullable(name).map(GroupScope::new), messages, log)
                    .run(System.in);
        }
        return ExitStatus.DONE;
    }

    /** Returns an absolute path. No shell has replaced the {@code ~} of an assistant's settings. */
    private static Path atHome(Path given) {
        boolean isAtHome = given.getNameCount() > 1 && given.startsWith("~");
        return isAtHome
                ? Path.of(System.getProperty("user.home"))
                        .resolve(given.subpath(1, given.getNameCount()))
                : given.toAbsolutePath();
    }
}
