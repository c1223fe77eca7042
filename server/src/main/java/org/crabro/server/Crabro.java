package org.crabro.server;

import org.crabro.client.cli.BackupCommand;
import org.crabro.client.cli.DemoCommand;
import org.crabro.client.cli.FeedCommand;
import org.crabro.client.cli.GroupCommand;
import org.crabro.client.cli.SignificanceCommand;
import org.crabro.server.settings.InvalidSettingsException;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The program {@code crabro}. */
@Command(
        name = "crabro",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        subcommands = {
            ServeCommand.class,
            SettingsCommand.class,
            DemoCommand.class,
            FeedCommand.class,
            GroupCommand.class,
            ValidateCommand.class,
            SignificanceCommand.class,
            InspectCommand.class,
            BackupCommand.class,
            RestoreCommand.class,
            CutJournalCommand.class,
            RebuildManifestCommand.class,
            TokenCommand.class
        },
        description = "Stores documents and searches them, person by person.")
public final class Crabro {
    private Crabro() {}

    /** Runs a command; the exit status is 0, 1 where it failed, 2 where it was not understood. */
    public static void main(String[] arguments) {
        // Before the first logger is used, and before the class is initialized.
        System.setProperty("java.util.logging.manager", KeptLogs.class.getName());
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        var commandLine = new CommandLine(new Crabro());
        commandLine.setExecutionExceptionHandler((failure, command, _) -> {
            String message = failure.getMessage();
            command.getErr().println(message == null ? failure.toString() : message);
            return failure instanceof InvalidSettingsException
                    ? CommandLine.ExitCode.USAGE
                    : CommandLine.ExitCode.SOFTWARE;
        });
        return commandLine;
    }
}
