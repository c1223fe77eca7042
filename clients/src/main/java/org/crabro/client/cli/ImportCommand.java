package org.crabro.client.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.crabro.client.feed.BulkFeeder;
import org.crabro.client.feed.FeedStatistics;
import org.crabro.client.feed.LineStream;
import org.crabro.client.http.ServerAccess;
import org.crabro.client.imports.GuessedSchema;
import org.crabro.client.imports.ImportLosses;
import org.crabro.client.imports.ImportSource;
import org.crabro.client.imports.PutLines;
import org.crabro.client.imports.RecordReader;
import org.crabro.client.imports.SchemaGuess;
import org.crabro.client.query.ClientQuery;
import org.crabro.client.query.QueryAnswer;
import org.crabro.client.query.QueryClient;
import org.crabro.client.terminal.HitTable;
import org.crabro.client.terminal.ProgressLine;
import org.crabro.client.terminal.TerminalOutput;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Makes files of other programs searchable: guesses a schema, deploys it and feeds. */
@Command(
        name = "import",
        mixinStandardHelpOptions = true,
        description = {
            "Makes a directory, a mailbox or a table searchable: guesses a schema, deploys, feeds.",
            "If no server runs on this machine, one is started. The package is written to a"
                    + " directory; if that exists, it is used as it is, so that you can change the"
                    + " schema and import again."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  crabro import notes/                       text and Markdown files",
            "  crabro import mail.mbox --group anna",
            "  crabro import data.csv --type contact --dry-run",
            "  crabro import events.jsonl --package ./events",
            "",
            "A field named id, uuid or key whose values differ names the documents; importing again"
                    + " then replaces them."
        })
public final class ImportCommand implements Callable<Integer> {
    private static final int HITS_SHOWN = 3;

    /** The first query of a server takes longer than others. */
    private static final Duration QUERY_TIMEOUT = Duration.ofSeconds(10);

    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(
            paramLabel = "PATH",
            description =
                    "A directory of .md and .txt files or of mails, or a file: .mbox, .eml, .csv, .tsv, .parquet, .jsonl, .ndjson"
                            + " or .json.")
    private Path path = Path.of("");

    @Option(
            names = {"-g", "--group"},
            paramLabel = "NAME",
            defaultValue = "me",
            description =
                    "The group of the documents, usually the name of a person"
                            + " (${DEFAULT-VALUE}).")
    private String group = "me";

    @Option(
            names = "--type",
            paramLabel = "NAME",
            description = "The name of the document type; without it, the name of the file.")
    private @Nullable String type;

    @Option(
            names = "--package",
            paramLabel = "DIR",
            description = "Where the package is written (TYPE-package).")
    private @Nullable Path directory;

    @Option(
            names = "--encoding",
            paramLabel = "NAME",
            description =
                    "The character set of a .csv or .tsv file, or of text files, such as"
                            + " windows-1252. Without it, tables are UTF-8 or UTF-16.")
    private @Nullable String encoding;

    @Option(
            names = "--follow-links",
            description =
                    "Follow symbolic links that lead out of the directory. Without it, such files"
                            + " are left out.")
    private boolean isFollowingLinks;

    @Option(
            names = "--lossy",
            description =
                    "Exit with 0 although some values are not stored as they are given. They are"
                            + " listed in any case.")
    private boolean isLossy;

    @Option(names = "--dry-run", description = "Write the package, and stop before the server.")
    private boolean isDryRun;

    @Option(
            names = "--no-deploy",
            description = "Feed without deploying: the server has the type already.")
    private boolean isWithoutDeploy;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            defaultValue = "crabro-data",
            description = "The data of a server that is started (${DEFAULT-VALUE}).")
    private Path data = Path.of("crabro-data");

    @Mixin private DocumentsTarget target = new DocumentsTarget();

    @Option(
            names = "--config",
            paramLabel = "URL",
            defaultValue = "${env:CRABRO_CONFIG:-http://127.0.0.1:19071}",
            description = "The server's port for packages (${DEFAULT-VALUE}).")
    private URI config = URI.create("http://127.0.0.1:19071");

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        try {
            ImportSource given = ImportSource.of(path);
            ImportSource encoded = encoding == null ? given : given.in(encoding);
            ImportSource source = isFollowingLinks ? encoded.followingLinks() : encoded;
            var losses = new ImportLosses();
            GuessedSchema schema = guess(source, losses);
            if (schema.fields().isEmpty()) {
                throw new IOException(path + " has no record with a value: nothing to import");
            }
            Path package_ = writePackage(schema, out);
            schema.hints().notes().forEach(out::println);
            int whole = report(losses);
            if (isDryRun) {
                return whole;
            }
            ServerAccess documents = target.server();
            try (var calls = target.calls()) {
                start(calls, documents, out);
                if (!isWithoutDeploy) {
                    ServerAccess packages =
                            new ServerAccess(config, documents.token(), documents.tls());
                    calls.deploy(
                            config,
                            ImportPackage.zip(calls, packages, package_, schema.typeName()));
                    out.printf("Deployed to %s.%n", config);
                }
            }
            out.flush();
            int status = feed(source, schema, documents, out);
            suggest(schema, documents, out);
            return status == ExitStatus.DONE ? whole : status;
        } finally {
            out.flush();
        }
    }

    /** Lists the losses, and returns the exit status of an import that has them. */
    private int report(ImportLosses losses) {
        PrintWriter err = spec.commandLine().getErr();
        losses.lines().forEach(err::println);
        if (losses.isEmpty() || isLossy) {
            return ExitStatus.DONE;
        }
        err.println(
                "These values are not stored as they are given; with --lossy the exit status is 0.");
        err.flush();
        return ExitStatus.FAILED;
    }

    private GuessedSchema guess(ImportSource source, ImportLosses losses) throws IOException {
        String typeName = type == null ? source.typeName() : type;
        if (!typeName.matches("[A-Za-z_][A-Za-z0-9_]*")) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--type is '" + typeName + "': expected letters, digits and underscores");
        }
        if (group.isEmpty() || group.contains(":")) {
            throw new ParameterException(
                    spec.commandLine(), "--group is '" + group + "': expected a name without ':'");
        }
        try (RecordReader records = source.open(this::leftOut, losses);
                var line =
                        new ProgressLine(
                                spec.commandLine().getErr(),
                                TerminalOutput.isErr(),
                                "records read",
                                () -> -1)) {
            return SchemaGuess.of(typeName, records, count -> line.show(count, 0));
        }
    }

    private void leftOut(Path link) {
        spec.commandLine()
                .getErr()
                .printf(
                        "%s is a link that leads out of %s: left out; --follow-links follows it%n",
                        link, path);
    }

    private Path writePackage(GuessedSchema schema, PrintWriter out) throws IOException {
        Path given = directory;
        Path place = given == null ? Path.of(schema.typeName() + "-package") : given;
        Path file = place.resolve("schemas").resolve(schema.typeName() + ".sd");
        if (Files.exists(file)) {
            out.printf("The package in %s is used as it is.%n", place);
        } else {
            ImportPackage.write(place, schema);
            out.printf(
                    Locale.ROOT,
                    "%,d records. This schema fits them; it is in %s:%n%n%s%n",
                    schema.count(),
                    file,
                    schema.text());
        }
        return place;
    }

    private void start(ServerCalls calls, ServerAccess documents, PrintWriter out)
            throws IOException, InterruptedException {
        if (calls.isUp(config) || !LocalServer.isHere(config)) {
            return;
        }
        out.printf("No server runs at %s: starting one ...%n", config);
        out.flush();
        long pid = LocalServer.start(calls, documents.address(), config, data);
        out.printf("Started, with its data in %s. To stop it: kill %d%n", data, pid);
    }

    private int feed(
            ImportSource source, GuessedSchema schema, ServerAccess documents, PrintWriter out)
            throws IOException, InterruptedException {
        PrintWriter err = spec.commandLine().getErr();
        var statistics = new FeedStatistics();
        try (RecordReader records = source.open();
                var puts = new LineStream(new PutLines(records, schema, group));
                var line =
                        new ProgressLine(
                                err,
                                TerminalOutput.isErr(),
                                "documents",
                                () -> (double) statistics.operations() / schema.count());
                var feeder = BulkFeeder.adaptive(documents)) {
            feeder.feed(puts, statistics, done -> line.show(done, statistics.errors()));
        }
        statistics.problems().forEach(err::println);
        err.flush();
        out.printf(
                Locale.ROOT,
                "%,d documents stored in group %s in %.1f s (%,.0f/s), %,d failed.%n",
                statistics.ok(),
                group,
                statistics.seconds(),
                statistics.ok() / statistics.seconds(),
                statistics.errors());
        return statistics.errors() == 0 ? ExitStatus.DONE : ExitStatus.FAILED;
    }

    private void suggest(GuessedSchema schema, ServerAccess documents, PrintWriter out)
            throws IOException, InterruptedException {
        List<SuggestedQuery> queries = SuggestedQuery.of(schema);
        out.printf("%nTry:%n");
        for (SuggestedQuery each : queries) {
            out.printf("  %s%n", each.command(group));
        }
        out.printf("%nThe first one:%n");
        SuggestedQuery first = queries.getFirst();
        ClientQuery query = ClientQuery.of(first.yql()).withGroup(group).withTimeout(QUERY_TIMEOUT);
        try (var client = new QueryClient(documents, HttpClient.Version.HTTP_1_1)) {
            QueryAnswer answer = client.search(query.withParameter("hits", HITS_SHOWN));
            boolean isColored = spec.commandLine().getColorScheme().ansi().enabled();
            HitTable.of(answer).lines(TerminalOutput.columns(), isColored).forEach(out::println);
            out.printf(Locale.ROOT, "%,d matching documents%n", answer.totalCount());
        }
    }
}
