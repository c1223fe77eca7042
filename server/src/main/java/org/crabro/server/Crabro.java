package org.crabro.server;

import java.util.List;
import java.util.Set;
import org.crabro.client.cli.BackupCommand;
import org.crabro.client.cli.ClusterCommand;
import org.crabro.client.cli.DemoCommand;
import org.crabro.client.cli.FeedCommand;
import org.crabro.client.cli.GroupCommand;
import org.crabro.client.cli.SettleCommand;
import org.crabro.client.cli.SignificanceCommand;
import org.crabro.server.settings.InvalidSettingsException;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The program {@code crabro}. */
@Command(
        name = "crabro",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = "Stores documents and searches them, person by person.")
public final class Crabro {
    /** The commands, in the order of the help text. */
    private static final List<Class<?>> COMMANDS =
            List.of(
                    ServeCommand.class,
                    SettingsCommand.class,
                    DemoCommand.class,
                    FeedCommand.class,
                    GroupCommand.class,
                    ValidateCommand.class,
                    SignificanceCommand.class,
                    InspectCommand.class,
                    BackupCommand.class,
                    SettleCommand.class,
                    RestoreCommand.class,
                    CutJournalCommand.class,
                    RebuildManifestCommand.class,
                    TokenCommand.class,
                    ClusterCommand.class);

    private static final Set<String> VERSION = Set.of("--version", "-V");

    private Crabro() {}

    /** Runs a command. The exit status is 0, 1 after a failure, and 2 for wrong arguments. */
    public static void main(String[] arguments) {
        // Before the first logger is used, and before the class is initialized.
        System.setProperty("java.util.logging.manager", KeptLogs.class.getName());
        String first = arguments.length == 0 ? "" : arguments[0];
        System.exit(commandLine(needed(first)).execute(arguments));
    }

    /** Returns a command line with all commands. */
    static CommandLine commandLine() {
        return commandLine(COMMANDS);
    }

    /**
     * Returns the commands that a command line with this first argument needs. The options of a
     * command are read by reflection, which takes longer than a short command itself.
     */
    static List<Class<?>> needed(String first) {
        if (VERSION.contains(first)) {
            return List.of();
        }
        return COMMANDS.stream()
                .filter(command -> name(command).equals(first))
                .findFirst()
                .<List<Class<?>>>map(List::of)
                .orElse(COMMANDS);
    }

    private static String name(Class<?> command) {
        return command.getAnnotation(Command.class).name();
    }

    private static CommandLine commandLine(List<Class<?>> commands) {
        var commandLine = new CommandLine(new Crabro());
        commands.forEach(commandLine::addSubcommand);
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
