package org.crabro.server;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.crabro.client.capacity.CapacityCommand;
import org.crabro.client.cli.BackupCommand;
import org.crabro.client.cli.BenchCommand;
import org.crabro.client.cli.CommandErrors;
import org.crabro.client.cli.CompletionCommand;
import org.crabro.client.cli.DemoCommand;
import org.crabro.client.cli.DeployCommand;
import org.crabro.client.cli.DocumentCommand;
import org.crabro.client.cli.ExitStatus;
import org.crabro.client.cli.ExplainCommand;
import org.crabro.client.cli.FeedCommand;
import org.crabro.client.cli.GroupCommand;
import org.crabro.client.cli.ImportCommand;
import org.crabro.client.cli.ManCommand;
import org.crabro.client.cli.OpenCommand;
import org.crabro.client.cli.QueryCommand;
import org.crabro.client.cli.SettleCommand;
import org.crabro.client.cli.ShellCommand;
import org.crabro.client.cli.SignificanceCommand;
import org.crabro.client.cli.StatusCommand;
import org.crabro.client.cli.UsageErrors;
import org.crabro.client.cli.VisitCommand;
import org.crabro.client.cluster.ClusterCommand;
import org.crabro.client.mcp.McpCommand;
import org.crabro.server.settings.InvalidSettingsException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;

/** The program {@code crabro}. */
@Command(
        name = "crabro",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        synopsisSubcommandLabel = "COMMAND",
        description = "Stores documents and searches them, person by person.",
        footer = {
            "",
            "First steps:",
            "  crabro import notes/        search a directory, a mailbox or a table",
            "  crabro query coffee         search for words",
            "  crabro open                 the web console in the browser",
            "",
            "'crabro COMMAND --help' has options and examples. NO_COLOR switches colors off.",
            "Exit status: 0 done, 1 failed, 2 wrong arguments, 69 no server answers."
        })
public final class Crabro {
    /** The commands, in the order of the help text. */
    private static final List<Class<?>> COMMANDS =
            List.of(
                    ServeCommand.class,
                    StatusCommand.class,
                    OpenCommand.class,
                    StopCommand.class,
                    DemoCommand.class,
                    ImportCommand.class,
                    DeployCommand.class,
                    ValidateCommand.class,
                    FeedCommand.class,
                    DocumentCommand.class,
                    QueryCommand.class,
                    ExplainCommand.class,
                    ShellCommand.class,
                    VisitCommand.class,
                    GroupCommand.class,
                    McpCommand.class,
                    BenchCommand.class,
                    CapacityCommand.class,
                    SignificanceCommand.class,
                    InspectCommand.class,
                    BackupCommand.class,
                    SettleCommand.class,
                    RestoreCommand.class,
                    CutJournalCommand.class,
                    RebuildManifestCommand.class,
                    TokenCommand.class,
                    SettingsCommand.class,
                    ClusterCommand.class,
                    CompletionCommand.class,
                    ManCommand.class);

    private static final Set<String> VERSION = Set.of("--version", "-V");
    private static final Set<String> HELP = Set.of("--help", "-h");

    /** The commands that describe all others. */
    private static final Set<String> DESCRIBING = Set.of("completion", "man");

    private Crabro() {}

    /** Runs a command, with a status of {@link ExitStatus}. */
    public static void main(String[] arguments) {
        // Before the first logger is used, and before the class is initialized.
        System.setProperty("java.util.logging.manager", LateClosingLogs.class.getName());
        if (arguments.length == 0) {
            NextSteps.print(new PrintWriter(System.out, false, StandardCharsets.UTF_8));
            return;
        }
        String first = arguments[0];
        CommandLine commandLine = HELP.contains(first) ? namesAlone() : commandLine(needed(first));
        System.exit(commandLine.execute(arguments));
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
        if (DESCRIBING.contains(first)) {
            return COMMANDS;
        }
        return COMMANDS.stream()
                .filter(command -> name(command).equals(first))
                .findFirst()
                .<List<Class<?>>>map(List::of)
                .orElse(COMMANDS);
    }

    /**
     * Returns a command line that prints help and knows only names and descriptions of commands:
     * their options take longer to read than the help.
     */
    static CommandLine namesAlone() {
        var commandLine = new CommandLine(new Crabro());
        for (Class<?> command : COMMANDS) {
            CommandSpec spec = CommandSpec.create().name(name(command));
            spec.usageMessage().description(command.getAnnotation(Command.class).description()[0]);
            commandLine.addSubcommand(name(command), spec);
        }
        return commandLine;
    }

    private static String name(Class<?> command) {
        return command.getAnnotation(Command.class).name();
    }

    private static CommandLine commandLine(List<Class<?>> commands) {
        var commandLine = new CommandLine(new Crabro());
        commands.forEach(commandLine::addSubcommand);
        // The command of the clients' module that has a command of the server below it.
        Optional.ofNullable(commandLine.getSubcommands().get("cluster"))
                .ifPresent(cluster -> cluster.addSubcommand(AdoptCommand.class));
        var errors = new CommandErrors();
        commandLine.setParameterExceptionHandler(new UsageErrors());
        commandLine.setExpandAtFiles(false);
        commandLine.setCaseInsensitiveEnumValuesAllowed(true);
        commandLine.setExecutionExceptionHandler((failure, command, parsed) -> {
            int status = errors.handleExecutionException(failure, command, parsed);
            return failure instanceof InvalidSettingsException ? ExitStatus.USAGE : status;
        });
        return commandLine;
    }
}
