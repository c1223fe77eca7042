package org.crabro.client.cli;

import java.util.List;
import org.crabro.client.query.ClientQuery;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The query of a command, and its parameters. */
final class QueryArguments {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Parameters(index = "0", paramLabel = "YQL", description = "The query.")
    private String yql = "";

    @Parameters(
            index = "1..*",
            paramLabel = "NAME=VALUE",
            description = "More request parameters, such as ranking=words.")
    private List<String> parameters = List.of();

    @Option(
            names = {"-g", "--group"},
            paramLabel = "GROUP",
            description = "Search the documents with this g= in their ids.")
    private @Nullable String group;

    @Option(
            names = {"-n", "--hits"},
            paramLabel = "N",
            description = "The number of hits (10).")
    private @Nullable Integer hits;

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            defaultValue = "10s",
            description = "The time limit on the server (${DEFAULT-VALUE}).")
    private String timeout = "10s";

    /**
     * Returns the query.
     *
     * @throws ParameterException if a parameter has no name, or is the query itself
     */
    ClientQuery query() {
        ClientQuery query = ClientQuery.of(yql).withParameter("timeout", timeout);
        for (String each : parameters) {
            int equal = each.indexOf('=');
            if (equal < 1 || each.startsWith("yql=")) {
                throw new ParameterException(
                        spec.commandLine(), "expected NAME=VALUE, found '" + each + "'");
            }
            query = query.withParameter(each.substring(0, equal), each.substring(equal + 1));
        }
        if (group != null) {
            query = query.withGroup(group);
        }
        return hits == null ? query : query.withParameter("hits", hits);
    }
}
