package org.crabro.client.terminal;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** A script for the shell fish that completes the commands and the options of a program. */
public final class FishCompletion {
    private final String program;
    private final List<String> lines = new ArrayList<>();

    private FishCompletion(String program) {
        this.program = program;
    }

    /** Returns the script. */
    public static String of(CommandLine program) {
        var script = new FishCompletion(program.getCommandName());
        script.lines.add("complete -c " + script.program + " -f");
        script.add(program.getCommandSpec(), List.of());
        return String.join("\n", script.lines);
    }

    /**
     * @param path the names of commands before
     */
    private void add(CommandSpec spec, List<String> path) {
        String here =
                path.isEmpty()
                        ? "__fish_use_subcommand"
                        : path.stream()
                                .map(name -> "__fish_seen_subcommand_from " + name)
                                .collect(Collectors.joining("; and "));
        String names = String.join(" ", spec.subcommands().keySet());
        spec.subcommands()
                .forEach((name, command) ->
                        lines.add(
                                "complete -c %s -n %s -a %s -d %s"
                                        .formatted(
                                                program,
                                                quoted(
                                                        path.isEmpty()
                                                                ? here
                                                                : here
                                                                        + "; and not __fish_seen_subcommand_from "
                                                                        + names),
                                                name,
                                                quoted(
                                                        CommandTexts.of(
                                                                        command.getCommandSpec()
                                                                                .usageMessage()
                                                                                .description())
                                                                .getFirst()))));
        spec.options().stream()
                .filter(option -> !option.hidden())
                .forEach(option -> add(option, here));
        boolean takesFiles = spec.positionalParameters().stream().anyMatch(FishCompletion::isFile);
        if (takesFiles) {
            lines.add("complete -c %s -n %s -F".formatted(program, quoted(here)));
        }
        spec.subcommands()
                .forEach((name, command) -> {
                    var below = new ArrayList<>(path);
                    below.add(name);
                    add(command.getCommandSpec(), below);
                });
    }

    private void add(OptionSpec option, String here) {
        var line = new StringBuilder("complete -c " + program + " -n " + quoted(here));
        for (String name : option.names()) {
            line.append(name.startsWith("--") ? " -l " : " -s ").append(name.replaceAll("^-+", ""));
        }
        if (option.arity().max() > 0) {
            line.append(isFile(option) ? " -r -F" : " -x");
            if (option.completionCandidates() != null) {
                line.append(" -a ").append(quoted(String.join(" ", option.completionCandidates())));
            }
        }
        lines.add(line + " -d " + quoted(CommandTexts.description(option)));
    }

    private static boolean isFile(ArgSpec argument) {
        return argument.type() == java.nio.file.Path.class
                || argument.type() == java.io.File.class
                || argument.paramLabel().contains("FILE");
    }

    private static String quoted(String text) {
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }
}
