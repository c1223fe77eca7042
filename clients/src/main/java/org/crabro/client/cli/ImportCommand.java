package org.crabro.client.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.crabro.client.feed.FeedStatistics;
import org.crabro.client.file.FolderEvents;
import org.crabro.client.file.FolderWatch;
import org.crabro.client.http.ServerAccess;
import org.crabro.client.imports.DocumentPuts;
import org.crabro.client.imports.GuessedSchema;
import org.crabro.client.imports.ImportLosses;
import org.crabro.client.imports.ImportSource;
import org.crabro.client.imports.RecordReader;
import org.crabro.client.imports.SchemaGuess;
import org.crabro.client.models.ModelDirectory;
import org.crabro.client.query.ClientQuery;
import org.crabro.client.query.QueryAnswer;
import org.crabro.client.query.QueryClient;
import org.crabro.client.terminal.CountLine;
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
                    + " directory, so that you can change the schema and import again.",
            "A second import feeds what has changed, and removes what is gone."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  crabro import notes/                       text and Markdown files",
            "  crabro import mail.mbox --group anna",
            "  crabro import data.csv --type contact --dry-run",
            "  crabro import events.jsonl --package ./events",
            "  crabro import products.csv --id sku",
            "  crabro import notes/ --embed all-MiniLM-L6-v2/"
        })
public final class ImportCommand implements Callable<Integer> {
    /** The options without a value that messages add or remove. */
    static final Set<String> FLAGS = Set.of("--replace", "--no-deploy", "--keep-deleted");

    private static final int HITS_SHOWN = 3;

    /** The first query of a server takes longer than others. */
    private static final Duration QUERY_TIMEOUT = Duration.ofSeconds(10);

    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(
            paramLabel = "PATH",
            description =
                    "A directory of .md, .txt, .html and .pdf files or of mails, or a file: .mbox, .eml,"
                            + " .csv, .tsv, .parquet, .jsonl, .ndjson, .json, .vcf, .ics, .md, .txt,"
                            + " .html or .pdf.")
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
            names = "--id",
            paramLabel = "COLUMN",
            defaultValue = "",
            description = "The column or member that names the documents. Its values differ.")
    private String id = "";

    @Option(
            names = "--source",
            paramLabel = "NAME",
            description =
                    "The name of the source; without it, its path. An import removes only documents"
                            + " of its own source.")
    private @Nullable String sourceName;

    @Option(
            names = "--keep-deleted",
            description = "Do not remove documents that the source does not have any more.")
    private boolean isKeepingDeleted;

    @Option(
            names = "--replace",
            description =
                    "Derive the schema anew although it was edited, and print the difference.")
    private boolean isReplacing;

    @Option(
            names = "--schema",
            paramLabel = "FILE",
            description = "Use this schema instead of one that fits the data.")
    private @Nullable Path schemaFile;

    @Option(
            names = "--embed",
            paramLabel = "DIR",
            description =
                    "Search by meaning too: a directory with an ONNX model and its tokenizer, which"
                            + " make vectors of the texts.")
    private @Nullable Path embedder;

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

    @Option(names = "--watch", description = "Go on, and import again whenever files have changed.")
    private boolean isWatching;

    @Option(
            names = "--stop-with-input",
            description = "With --watch: end when the standard input ends.")
    private boolean isStoppingWithInput;

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
            return isWatching && !isDryRun ? follow(source, out) : run(source, out).status;
        } finally {
            out.flush();
        }
    }

    /**
     * What an import has done.
     *
     * @param changes a line with the changes of documents
     */
    private record Outcome(int status, Optional<String> changes) {}

    private int follow(ImportSource source, PrintWriter out)
            throws IOException, InterruptedException {
        try (var events = new FolderEvents(path)) {
            var watch = new FolderWatch(path, source.links(), events);
            int status = run(source, out).status;
            out.printf("Waiting for changes of %s.%n", path);
            out.flush();
            if (isStoppingWithInput) {
                closeWithInput(events);
            }
            while (watch.awaitChange()) {
                importAgain(source, out);
            }
            return status;
        }
    }

    /** Imports again, and prints the changes alone. A file may be incomplete at the moment. */
    private void importAgain(ImportSource source, PrintWriter out) throws InterruptedException {
        PrintWriter err = spec.commandLine().getErr();
        try (var silent = new PrintWriter(Writer.nullWriter())) {
            run(source, silent).changes.ifPresent(out::println);
            out.flush();
        } catch (IOException e) {
            err.printf("%s; waiting for changes%n", e.getMessage());
            err.flush();
        }
    }

    private static void closeWithInput(FolderEvents events) {
        Thread.ofPlatform()
                .daemon()
                .name("import-input")
                .start(() -> {
                    try (events) {
                        System.in.transferTo(OutputStream.nullOutputStream());
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                });
    }

    private Outcome run(ImportSource source, PrintWriter out)
            throws IOException, InterruptedException {
        Path given = embedder;
        if (given != null && isWithoutDeploy) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--embed changes the schema, and --no-deploy does not: leave one of them out");
        }
        Optional<ModelDirectory> model =
                given == null ? Optional.empty() : Optional.of(ModelDirectory.in(given));
        printSkipped(source, out);
        var losses = new ImportLosses();
        GuessedSchema schema = guess(source, losses);
        if (schema.fields().isEmpty()) {
            throw new IOException(path + " has no record with a value: nothing to import");
        }
        var deployment =
                new ImportDeployment(
                        schema, packageDirectory(schema), arguments(), isReplacing, model, out);
        if (isDryRun) {
            deployment.write(deployment.choice(Map.of(), Optional.ofNullable(schemaFile)));
            schema.hints().notes().forEach(out::println);
            return new Outcome(report(losses), Optional.empty());
        }
        ServerAccess documents = target.server();
        try (var calls = target.calls()) {
            start(calls, documents, out);
            if (!isWithoutDeploy) {
                deployment.run(
                        calls,
                        new ServerAccess(config, documents.token(), documents.tls()),
                        Optional.ofNullable(schemaFile));
            }
            schema.hints().notes().forEach(out::println);
            out.flush();
            var feed = new ImportFeed(schema, group, arguments(), out);
            GuessedSchema used = feed.fitting(calls, documents);
            Outcome outcome = feed(feed, used, source, documents, losses);
            suggest(used, documents, deployment.queryProfile(), out);
            int whole = report(losses);
            return outcome.status == ExitStatus.DONE
                    ? new Outcome(whole, outcome.changes)
                    : outcome;
        }
    }

    private static void printSkipped(ImportSource source, PrintWriter out) throws IOException {
        List<String> skipped = source.skipped();
        skipped.stream().limit(1).forEach(out::println);
        skipped.stream()
                .skip(1)
                .map(file -> "  crabro import " + ImportArguments.quoted(file))
                .forEach(out::println);
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
            return SchemaGuess.of(typeName, records, id, count -> line.show(count, 0));
        }
    }

    private void leftOut(Path link) {
        spec.commandLine()
                .getErr()
                .printf(
                        "%s is a link that leads out of %s: left out; --follow-links follows it%n",
                        link, path);
    }

    private Path packageDirectory(GuessedSchema schema) {
        Path given = directory;
        return given == null ? Path.of(schema.typeName() + "-package") : given;
    }

    private ImportArguments arguments() {
        List<String> all = spec.commandLine().getParseResult().originalArgs();
        return new ImportArguments(spec.parent() == null ? all : all.subList(1, all.size()));
    }

    private void start(ServerCalls calls, ServerAccess documents, PrintWriter out)
            throws IOException, InterruptedException {
        if (calls.isUp(config) || !LocalServer.isHere(config)) {
            return;
        }
        out.printf("No server runs at %s: starting one ...%n", config);
        out.flush();
        long pid = LocalServer.start(calls, documents.address(), config, data);
        out.printf(
                "Started as process %d, with its data in %s. To stop it: crabro stop --data %s%n",
                pid, data, data);
    }

    private Outcome feed(
            ImportFeed feed,
            GuessedSchema used,
            ImportSource source,
            ServerAccess documents,
            ImportLosses losses)
            throws IOException, InterruptedException {
        PrintWriter err = spec.commandLine().getErr();
        String name = sourceName == null ? path.toRealPath().toString() : sourceName;
        var statistics = new FeedStatistics();
        // Losses of reading were counted when the schema was guessed.
        try (RecordReader records = source.open();
                var puts = new DocumentPuts(records, used, group, losses);
                var line =
                        new ProgressLine(
                                err,
                                TerminalOutput.isErr(),
                                "documents",
                                () -> (double) statistics.operations() / used.count())) {
            Optional<String> changes =
                    feed.run(
                            puts,
                            new ImportFeed.Settings(documents, name, isKeepingDeleted),
                            statistics,
                            read -> line.show(read, statistics.errors()));
            statistics.problems().forEach(err::println);
            err.flush();
            return new Outcome(
                    statistics.errors() == 0 ? ExitStatus.DONE : ExitStatus.FAILED, changes);
        }
    }

    private void suggest(
            GuessedSchema schema,
            ServerAccess documents,
            Optional<String> queryProfile,
            PrintWriter out)
            throws IOException, InterruptedException {
        List<SuggestedQuery> queries = SuggestedQuery.of(schema);
        out.printf("%nTry:%n");
        for (SuggestedQuery each : queries) {
            out.printf("  %s%n", each.command(group));
        }
        queryProfile.ifPresent(name ->
                out.printf(
                        "By words and meaning:%n  crabro query '%s' queryProfile=%s --group %s%n",
                        schema.commonWord().orElse("your words"),
                        name,
                        ImportArguments.quoted(group)));
        out.printf("%nThe first one:%n");
        SuggestedQuery first = queries.getFirst();
        ClientQuery query =
                ClientQuery.of(first.yql()).withGroup(group).withTimeout(QUERY_TIMEOUT).withDates();
        try (var client = new QueryClient(documents, HttpClient.Version.HTTP_1_1)) {
            QueryAnswer answer = client.search(query.withParameter("hits", HITS_SHOWN));
            boolean isColored = spec.commandLine().getColorScheme().ansi().enabled();
            HitTable.lines(answer, new HitTable.Form(TerminalOutput.columns(), isColored))
                    .forEach(out::println);
            out.println(CountLine.of(answer, Optional.empty()));
        }
    }
}
