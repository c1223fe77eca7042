package org.crabro.client.shell;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.crabro.client.http.ServerAccess;

/** A session of the shell, on a terminal or with the lines of a file. */
public final class ShellSession {
    private final Shell.Output output;

    public ShellSession(Shell.Output output) {
        this.output = output;
    }

    /**
     * Runs the statements of a file or a pipe.
     *
     * @param given parameters of all queries
     * @return whether all succeeded
     * @throws IOException if the lines cannot be read, or the server does not answer
     */
    public boolean run(ServerAccess server, Map<String, String> given, Reader lines)
            throws IOException, InterruptedException {
        try (var shell = new Shell(server, given, output);
                ShellInput input = new PlainInput(lines)) {
            return shell.run(input);
        }
    }

    /**
     * Runs the statements that a user enters on the terminal.
     *
     * @param given parameters of all queries
     * @param history the file of the history; empty for none
     * @throws IOException if the terminal cannot be read, or the server does not answer
     */
    public void runOnTerminal(
            ServerAccess server, Map<String, String> given, Optional<Path> history)
            throws IOException, InterruptedException {
        try (var shell = new Shell(server, given, output);
                ShellInput input = new TerminalInput(new YqlCompletion(shell.names()), history)) {
            output.out().println("Crabro at %s. \\help lists commands.".formatted(server));
            output.out().flush();
            shell.run(input);
        }
    }
}
