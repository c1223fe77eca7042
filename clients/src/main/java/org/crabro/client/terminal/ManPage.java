package org.crabro.client.terminal;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** The manual page of a command, for {@code man}. */
public final class ManPage {
    private final CommandSpec spec;
    private final List<String> lines = new ArrayList<>();

    private ManPage(CommandSpec spec) {
        this.spec = spec;
    }

    /** Returns the name of the page, such as {@code crabro-query}. */
    public static String name(CommandLine command) {
        return command.getCommandSpec().qualifiedName("-");
    }

    /**
     * Returns the page in the language of man(7).
     *
     * @param version of the program
     */
    public static String of(CommandLine command, String version) {
        return new ManPage(command.getCommandSpec()).text(version);
    }

    private String text(String version) {
        lines.add(
                ".TH \"%s\" 1 \"\" \"Crabro %s\" \"Crabro\""
                        .formatted(name(spec.commandLine()).toUpperCase(Locale.ROOT), version));
        section("NAME");
        List<String> description = CommandTexts.of(spec.usageMessage().description());
        paragraph(
                name(spec.commandLine())
                        + " \\- "
                        + roff(description.isEmpty() ? "" : description.getFirst()));
        section("SYNOPSIS");
        synopsis();
        section("DESCRIPTION");
        description.forEach(text -> paragraph(roff(text)));
        if (!spec.positionalParameters().isEmpty()) {
            section("ARGUMENTS");
            spec.positionalParameters().forEach(this::argument);
        }
        List<OptionSpec> options = spec.options().stream().filter(each -> !each.hidden()).toList();
        if (!options.isEmpty()) {
            section("OPTIONS");
            options.forEach(this::option);
        }
        if (!spec.subcommands().isEmpty()) {
            section("COMMANDS");
            spec.subcommands().forEach(this::subcommand);
        }
        List<String> examples = CommandTexts.of(spec.usageMessage().footer());
        if (!examples.isEmpty()) {
            section("EXAMPLES");
            lines.add(".nf");
            examples.forEach(line -> lines.add(roff(line)));
            lines.add(".fi");
        }
        return lines.stream().map(line -> line + "\n").collect(Collectors.joining());
    }

    private void section(String title) {
        lines.add(".SH " + title);
    }

    private void paragraph(String text) {
        lines.add(".PP");
        lines.add(text);
    }

    private void synopsis() {
        var text = new StringBuilder("\\fB" + roff(spec.qualifiedName()) + "\\fR");
        if (!spec.options().isEmpty()) {
            text.append(" [\\fIOPTION\\fR]...");
        }
        for (PositionalParamSpec each : spec.positionalParameters()) {
            boolean isOptional = each.arity().min() == 0;
            text.append(isOptional ? " [" : " ")
                    .append("\\fI")
                    .append(roff(each.paramLabel()))
                    .append("\\fR")
                    .append(each.arity().max() > 1 ? "..." : "")
                    .append(isOptional ? "]" : "");
        }
        if (!spec.subcommands().isEmpty()) {
            text.append(" \\fICOMMAND\\fR");
        }
        paragraph(text.toString());
    }

    private void argument(PositionalParamSpec argument) {
        lines.add(".TP");
        lines.add("\\fI" + roff(argument.paramLabel()) + "\\fR");
        lines.add(roff(CommandTexts.description(argument)));
    }

    private void option(OptionSpec option) {
        lines.add(".TP");
        String value =
                option.arity().max() == 0 ? "" : " \\fI" + roff(option.paramLabel()) + "\\fR";
        lines.add(
                Stream.of(option.names())
                                .map(name -> "\\fB" + roff(name) + "\\fR")
                                .collect(Collectors.joining(", "))
                        + value);
        lines.add(roff(CommandTexts.description(option)));
    }

    private void subcommand(String name, CommandLine command) {
        lines.add(".TP");
        lines.add("\\fB" + roff(spec.qualifiedName() + " " + name) + "\\fR");
        List<String> description =
                CommandTexts.of(command.getCommandSpec().usageMessage().description());
        lines.add(roff(description.isEmpty() ? "" : description.getFirst()));
    }

    /** Returns a text whose signs have no meaning for man. */
    private static String roff(String text) {
        String escaped = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq");
        return escaped.startsWith(".") ? "\\&" + escaped : escaped;
    }
}
