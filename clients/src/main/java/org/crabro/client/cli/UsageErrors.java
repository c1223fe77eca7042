package org.crabro.client.cli;

import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Prints a line for wrong arguments: what is wrong, the nearest right name, and where to look. */
public final class UsageErrors implements IParameterExceptionHandler {
    @Override
    public int handleParseException(ParameterException failure, String[] arguments) {
        CommandLine command = failure.getCommandLine();
        PrintWriter err = command.getErr();
        err.println(command.getColorScheme().errorText(message(failure)));
        err.flush();
        return ExitStatus.USAGE;
    }

    private static String message(ParameterException failure) {
        CommandLine command = failure.getCommandLine();
        String problem =
                failure instanceof UnmatchedArgumentException unmatched
                        ? unmatched(unmatched)
                        : problem(failure);
        return "%s%s See '%s --help'."
                .formatted(
                        problem,
                        problem.endsWith("?") || problem.endsWith(".") ? "" : ".",
                        command.getCommandSpec().qualifiedName());
    }

    private static String unmatched(UnmatchedArgumentException failure) {
        CommandLine command = failure.getCommandLine();
        String given = failure.getUnmatched().getFirst();
        boolean isCommand =
                !failure.isUnknownOption()
                        && !command.getSubcommands().isEmpty()
                        && command.getCommandSpec().positionalParameters().isEmpty();
        String problem =
                failure.isUnknownOption()
                        ? "unknown option '%s'".formatted(given.replaceAll("=.*", ""))
                        : isCommand
                                ? "there is no command '%s'".formatted(given)
                                : "one argument too many: '%s'".formatted(given);
        List<String> near = failure.getSuggestions();
        return near.isEmpty()
                ? problem
                : "%s; did you mean '%s'?".formatted(problem, near.getFirst());
    }

    private static String problem(ParameterException failure) {
        CommandLine command = failure.getCommandLine();
        String message = String.valueOf(failure.getMessage());
        boolean lacksCommand =
                !command.getSubcommands().isEmpty()
                        && message.contains("Missing required subcommand");
        return lacksCommand
                ? "expected one of " + String.join(", ", command.getSubcommands().keySet())
                : message.lines().findFirst().orElse(message);
    }
}
