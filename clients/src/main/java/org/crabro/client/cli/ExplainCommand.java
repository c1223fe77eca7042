package org.crabro.client.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.http.HttpClient;
import java.util.concurrent.Callable;
import org.crabro.client.query.GroupSearch;
import org.crabro.client.query.QueryAnswer;
import org.crabro.client.query.QueryClient;
import org.crabro.client.terminal.OutputFormat;
import org.crabro.client.terminal.PlanTree;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/** Runs a query and prints its plan. */
@Command(
        name = "explain",
        mixinStandardHelpOptions = true,
        description = {
            "Runs a query and shows how it was answered: what was read, how many documents each"
                    + " condition tested and matched, times, and the rank features of hits.",
            "The exit status is 1 if the server rejects the query or could not search everything."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  crabro explain 'select * from note where text contains \"tomatoes\"' --group anna",
            "  crabro explain 'select * from note where userInput(@words)' words=water -g anna -n 3",
            "  crabro explain 'select * from note where time > 20' -g anna --json"
        })
public final class ExplainCommand implements Callable<Integer> {
    @Spec private CommandSpec spec = CommandSpec.create();

    @Mixin private QueryArguments arguments = new QueryArguments();

    @Mixin private OutputOptions output = new OutputOptions();

    @Mixin private DocumentsTarget target = new DocumentsTarget();

    @Override
    public Integer call() throws IOException, InterruptedException {
        OutputFormat format = output.orElse(OutputFormat.TABLE);
        if (format == OutputFormat.CSV) {
            throw new ParameterException(spec.commandLine(), "a plan has no form for --format csv");
        }
        try (var client = new QueryClient(target.server(), HttpClient.Version.HTTP_1_1)) {
            QueryAnswer answer =
                    new GroupSearch(client, QueryArguments.GROUP_CHOICE)
                            .search(arguments.query().withParameter("trace.explain", true))
                            .answer();
            JsonNode plan = answer.trace().path("plan");
            if (plan.isMissingNode()) {
                throw new IOException(
                        "the server returned no plan: is it older than this command?");
            }
            PrintWriter out = spec.commandLine().getOut();
            if (format != OutputFormat.TABLE) {
                out.println(plan);
            } else {
                boolean isColored = spec.commandLine().getColorScheme().ansi().enabled();
                new PlanTree(isColored).lines(plan).forEach(out::println);
            }
            out.flush();
            PrintWriter err = spec.commandLine().getErr();
            answer.errors().forEach(err::println);
            err.flush();
            return answer.isComplete() ? ExitStatus.DONE : ExitStatus.FAILED;
        }
    }
}
