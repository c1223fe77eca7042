package org.crabro.client.cli;

import java.util.Optional;
import org.crabro.client.terminal.OutputFormat;
import org.crabro.client.terminal.TerminalOutput;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options for the form of a result. */
public final class OutputOptions {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description = "How the result is printed: ${COMPLETION-CANDIDATES}.")
    private @Nullable OutputFormat format;

    @Option(names = "--json", description = "The same as --format json.")
    private boolean isJson;

    @Option(names = "--table", description = "The same as --format table.")
    private boolean isTable;

    /**
     * Returns the form that the options name; empty if they name none.
     *
     * @throws ParameterException if they name several
     */
    Optional<OutputFormat> named() {
        OutputFormat named = format;
        if ((named == null ? 0 : 1) + (isJson ? 1 : 0) + (isTable ? 1 : 0) > 1) {
            throw new ParameterException(
                    spec.commandLine(), "--format, --json and --table exclude each other");
        }
        if (named == null && (isJson || isTable)) {
            return Optional.of(isJson ? OutputFormat.JSON : OutputFormat.TABLE);
        }
        return Optional.ofNullable(named);
    }

    /**
     * Returns the form that the options name.
     *
     * @throws ParameterException if they name several
     */
    public OutputFormat orElse(OutputFormat otherwise) {
        return named().orElse(otherwise);
    }

    /** Returns the form that the options name, or a table on a terminal and JSON elsewhere. */
    OutputFormat orElseOfTerminal() {
        return orElse(TerminalOutput.isOut() ? OutputFormat.TABLE : OutputFormat.JSON);
    }
}
