package org.crabro.client.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.http.HttpClient;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.crabro.client.query.ClientQuery;
import org.crabro.client.query.GroupSearch;
import org.crabro.client.query.QueryAnswer;
import org.crabro.client.query.QueryClient;
import org.crabro.client.terminal.CountLine;
import org.crabro.client.terminal.HitLines;
import org.crabro.client.terminal.HitTable;
import org.crabro.client.terminal.OutputFormat;
import org.crabro.client.terminal.TerminalOutput;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Runs a query and prints its hits. */
@Command(
        name = "query",
        mixinStandardHelpOptions = true,
        description = {
            "Searches for words, or runs a YQL query. Prints a table on a terminal, and the JSON of the"
                    + " server elsewhere.",
            "The exit status is 1 if the server rejects the query or could not search everything."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  crabro query tomatoes water",
            "  crabro query 'select * from note where text contains \"tomatoes\"' --group anna",
            "  crabro query 'select * from note where userInput(@words)' words='water plants' -g anna",
            "  crabro query 'select text from note where true order by time desc' -g anna -n 3",
            "  crabro query 'select * from note where true' --all-groups --format jsonl",
            "",
            "Words find documents that have all of them in their default fields.",
            "Write values of users as NAME=VALUE and @NAME in the query: they cannot change it."
        })
public final class QueryCommand implements Callable<Integer> {
    @Spec private CommandSpec spec = CommandSpec.create();

    @Mixin private QueryArguments arguments = new QueryArguments();

    @Mixin private OutputOptions output = new OutputOptions();

    @Mixin private DocumentsTarget target = new DocumentsTarget();

    @Override
    public Integer call() throws IOException, InterruptedException {
        OutputFormat format = output.orElseOfTerminal();
        try (var client = new QueryClient(target.server(), HttpClient.Version.HTTP_1_1)) {
            long begin = System.nanoTime();
            boolean isForPeople = format == OutputFormat.TABLE || format == OutputFormat.CSV;
            ClientQuery query = isForPeople ? arguments.query().withDates() : arguments.query();
            var groups = new GroupSearch(client, QueryArguments.GROUP_CHOICE);
            GroupSearch.Searched searched = groups.search(query);
            double millis = (System.nanoTime() - begin) / 1e6;
            QueryAnswer answer = searched.answer();
            PrintWriter out = spec.commandLine().getOut();
            switch (format) {
                case JSON -> out.println("{\"root\":" + answer.root() + "}");
                case JSONL -> HitLines.jsonl(answer).forEach(out::println);
                case CSV -> HitLines.csv(answer).forEach(out::println);
                case TABLE -> table(searched, millis, out);
            }
            if (format == OutputFormat.TABLE && answer.totalCount() == 0 && answer.isComplete()) {
                groups.advice(query, searched.group()).forEach(out::println);
            }
            out.flush();
            PrintWriter err = spec.commandLine().getErr();
            answer.errors().forEach(err::println);
            err.flush();
            return answer.isComplete() ? ExitStatus.DONE : ExitStatus.FAILED;
        }
    }

    private void table(GroupSearch.Searched searched, double millis, PrintWriter out) {
        QueryAnswer answer = searched.answer();
        boolean isColored = spec.commandLine().getColorScheme().ansi().enabled();
        HitTable.lines(
                        answer,
                        new HitTable.Form(TerminalOutput.columns(), isColored, arguments.marked()))
                .forEach(out::println);
        out.printf(Locale.ROOT, "%s, %.1f ms%n", CountLine.of(answer, searched.group()), millis);
    }
}
