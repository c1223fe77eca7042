package org.crabro.client.cli;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Collectors;

/** The arguments of an import, to write commands that differ from it in one option. */
record ImportArguments(List<String> arguments) {
    private static final String TOKEN = "--token";

    ImportArguments {
        arguments = List.copyOf(arguments);
    }

    /** Returns the command with an option without a value. */
    String with(String option) {
        return text(without(option)) + " " + option;
    }

    /** Returns the command with another value of an option. */
    String with(String option, String value) {
        return text(without(option)) + " " + option + " " + quoted(value);
    }

    /** Returns the command without an option that has no value. */
    String withoutFlag(String option) {
        return text(without(option));
    }

    /** Returns the command without an option that has a value. */
    String withoutOption(String option) {
        return text(without(option));
    }

    private List<String> without(String option) {
        boolean isFlag = ImportCommand.FLAGS.contains(option);
        List<String> left = new ArrayList<>();
        for (Iterator<String> each = arguments.iterator(); each.hasNext(); ) {
            String argument = each.next();
            if (argument.equals(option)) {
                if (!isFlag && each.hasNext()) {
                    each.next();
                }
            } else if (!argument.startsWith(option + "=")) {
                left.add(argument);
            }
        }
        return left;
    }

    private static String text(List<String> arguments) {
        List<String> shown = new ArrayList<>();
        boolean isSecret = false;
        for (String argument : arguments) {
            if (isSecret || argument.startsWith(TOKEN + "=")) {
                shown.add((isSecret ? "" : TOKEN + "=") + "\"$CRABRO_TOKEN\"");
            } else {
                shown.add(quoted(argument));
            }
            isSecret = argument.equals(TOKEN);
        }
        return "crabro import " + String.join(" ", shown);
    }

    /** Returns a text as an argument for shells. */
    static String quoted(String text) {
        return text.matches("[A-Za-z0-9._@/:=,+-]+")
                ? text
                : text.codePoints()
                        .mapToObj(point -> point == '\'' ? "'\\''" : Character.toString(point))
                        .collect(Collectors.joining("", "'", "'"));
    }
}
