package org.crabro.client.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.http.HttpClient;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.crabro.client.query.QueryAnswer;
import org.crabro.client.query.QueryClient;
import org.crabro.client.terminal.HitTable;
import org.crabro.client.terminal.TerminalOutput;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs a query and prints its hits. */
@Command(
        name = "query",
        mixinStandardHelpOptions = true,
        description = {
            "Runs a query. Prints a table on a terminal, and the JSON of the server elsewhere.",
            "The exit status is 1 if the server rejects the query or could not search everything."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  crabro query 'select * from note where text contains \"tomatoes\"' --group anna",
            "  crabro query 'select * from note where userInput(@words)' words='water plants' -g anna",
            "  crabro query 'select text from note where true order by time desc' -g anna -n 3",
            "  crabro query 'select * from note where true' streaming.selection=true --json",
            "",
            "Write values of users as NAME=VALUE and @NAME in the query: they cannot change it."
        })
public final class QueryCommand implements Callable<Integer> {
    @Spec private CommandSpec spec = CommandSpec.create();

    @Mixin private QueryArguments arguments = new QueryArguments();

    @Option(names = "--json", description = "Print the JSON of the server.")
    private boolean isJson;

    @Option(names = "--table", description = "Print a table, even if the output is no terminal.")
    private boolean isTable;

    @Mixin private DocumentsTarget target = new DocumentsTarget();

    @Override
    public Integer call() throws IOException, InterruptedException {
        try (var client = new QueryClient(target.server(), HttpClient.Version.HTTP_1_1)) {
            long begin = System.nanoTime();
            QueryAnswer answer = client.search(arguments.query());
            double millis = (System.nanoTime() - begin) / 1e6;
            PrintWriter out = spec.commandLine().getOut();
            if (isJson || !(isTable || TerminalOutput.isOut())) {
                out.println("{\"root\":" + answer.root() + "}");
            } else {
                boolean isColored = spec.commandLine().getColorScheme().ansi().enabled();
                HitTable.of(answer)
                        .lines(TerminalOutput.columns(), isColored)
                        .forEach(out::println);
                out.printf(
                        Locale.ROOT,
                        "%d of %,d matching documents, %.1f ms%n",
                        answer.hits().size(),
                        answer.totalCount(),
                        millis);
            }
            out.flush();
            PrintWriter err = spec.commandLine().getErr();
            answer.errors().forEach(err::println);
            err.flush();
            return answer.isComplete() ? ExitStatus.DONE : ExitStatus.FAILED;
        }
    }
}
