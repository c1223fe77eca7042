package org.crabro.client.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.crabro.client.query.ClientQuery;
import org.crabro.client.query.GroupSearch;
import org.crabro.client.terminal.MarkedWords;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The query of a command, and its parameters. */
final class QueryArguments {
    /** How a person names a group. */
    static final GroupSearch.Choice GROUP_CHOICE =
            new GroupSearch.Choice("--group NAME", "--all-groups");

    private static final Pattern BLANK = Pattern.compile("\\s");
    private static final Pattern PARAMETER = Pattern.compile("(?s)[A-Za-z_$][\\w.$()@-]*=.*");

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Parameters(
            index = "0..*",
            arity = "1..*",
            paramLabel = "WORD",
            description =
                    "Words to search, or one argument with a YQL query, which begins with select."
                            + " Then request parameters as NAME=VALUE, such as ranking=words.")
    private List<String> given = List.of();

    @Option(
            names = {"-g", "--group"},
            paramLabel = "NAME",
            description =
                    "Search the documents of this group. Not needed if there is only one group.")
    private @Nullable String group;

    @Option(names = "--all-groups", description = "Search the documents of all groups.")
    private boolean isOfAllGroups;

    @Option(
            names = {"-t", "--type"},
            paramLabel = "NAME",
            description = "Search documents of this type only.")
    private @Nullable String type;

    @Option(
            names = {"-n", "--limit", "--hits"},
            paramLabel = "N",
            description = "The number of hits (10).")
    private @Nullable Integer hits;

    @Option(
            names = "--groups",
            paramLabel = "N",
            description = "The number of groups of a grouping (10).")
    private @Nullable Integer groups;

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            defaultValue = "10s",
            description = "The time limit on the server (${DEFAULT-VALUE}).")
    private String timeout = "10s";

    /** Returns whether the arguments are a query, and not words. */
    private boolean isYql() {
        return ClientQuery.isYql(given.getFirst());
    }

    /** Returns whether the first argument is a whole query. */
    private boolean isWholeYql() {
        return isYql() && BLANK.matcher(given.getFirst().strip()).find();
    }

    /** Returns the words to mark in hits. */
    MarkedWords marked() {
        return isYql() ? MarkedWords.NONE : MarkedWords.of(text());
    }

    /** Returns the query or the words; a query can be several arguments of a shell. */
    private String text() {
        if (isWholeYql()) {
            return given.getFirst();
        }
        var words = new ArrayList<String>();
        words.add(given.getFirst());
        given.stream()
                .skip(1)
                .filter(each -> !PARAMETER.matcher(each).matches())
                .forEach(words::add);
        return String.join(" ", words);
    }

    /**
     * Returns the query.
     *
     * @throws ParameterException if a parameter has no name, or is the query itself
     */
    ClientQuery query() {
        ClientQuery query = isYql() ? ClientQuery.of(text()) : ClientQuery.ofWords(text());
        query = query.withParameter("timeout", timeout).withParameter("strict", true);
        boolean isWhole = isWholeYql();
        for (String each : given.subList(1, given.size())) {
            int equal = each.indexOf('=');
            boolean isParameter = PARAMETER.matcher(each).matches();
            if ((isWhole && !isParameter) || each.startsWith("yql=")) {
                throw new ParameterException(
                        spec.commandLine(), "expected NAME=VALUE, found '" + each + "'");
            }
            if (isParameter) {
                query = query.withParameter(each.substring(0, equal), each.substring(equal + 1));
            }
        }
        if (group != null && isOfAllGroups) {
            throw new ParameterException(
                    spec.commandLine(), "--group and --all-groups exclude each other");
        }
        if (group != null) {
            query = query.withGroup(group);
        }
        if (isOfAllGroups) {
            query = query.withParameter("streaming.selection", "true");
        }
        if (type != null) {
            query = query.withParameter("model.restrict", type);
        }
        if (groups != null) {
            query = query.withParameter("grouping.defaultMaxGroups", groups);
        }
        return hits == null ? query : query.withParameter("hits", hits);
    }
}
