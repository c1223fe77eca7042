package org.crabro.client.shell;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The commands of the prompt. */
enum PromptCommand {
    HELP("", "lists these commands"),
    EXPLAIN("[YQL;]", "shows the plan of a query, or of the last one"),
    SCHEMAS("", "lists document types and rank profiles"),
    DESCRIBE("TYPE", "lists the fields of a document type"),
    GROUP("[NAME]", "searches the documents of a group; without a name, all documents"),
    SET("[NAME=VALUE]", "adds a parameter to all queries; without one, lists them"),
    UNSET("NAME", "removes a parameter"),
    TIMING("on|off", "shows how long queries take"),
    JSON("on|off", "prints results as JSON"),
    QUIT("", "ends the shell; so does Ctrl-D");

    private final String argument;
    private final String effect;

    PromptCommand(String argument, String effect) {
        this.argument = argument;
        this.effect = effect;
    }

    /** Returns the command with a name. */
    static Optional<PromptCommand> named(String name) {
        return all().stream().filter(each -> each.word().equals(name)).findFirst();
    }

    static List<PromptCommand> all() {
        return List.of(values());
    }

    /** Returns the name without the backslash. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns a line of help. */
    String help() {
        return "%-24s %s".formatted(("\\" + word() + " " + argument).strip(), effect);
    }
}
