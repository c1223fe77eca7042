package org.crabro.client.cli;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.crabro.client.query.QueryClient;
import org.crabro.client.query.StoredGroups;
import org.crabro.client.terminal.ProgressLine;
import org.crabro.client.terminal.TerminalOutput;
import org.crabro.client.visit.ClientVisit;
import org.crabro.client.visit.VisitClient;
import org.crabro.client.visit.VisitEvent;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Writes documents as lines that can be fed. */
@Command(
        name = "visit",
        mixinStandardHelpOptions = true,
        description =
                "Writes all documents, or those of a type or a group, as lines that can be fed.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  crabro visit --type note --group anna",
            "  crabro visit home note --output notes.jsonl",
            "  crabro visit home note anna --selection 'note.time > 15'",
            "  crabro visit --cluster notes --slices 4 --output all.jsonl --progress all.position",
            "",
            "With --progress, the same command continues after an interruption; the last page may"
                    + " then be in the file twice."
        })
public final class VisitCommand implements Callable<Integer> {
    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "NAMESPACE",
            description = "The namespace of the documents' ids.")
    private @Nullable String namespace;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "TYPE",
            description = "The document type.")
    private @Nullable String documentType;

    @Parameters(
            index = "2",
            arity = "0..1",
            paramLabel = "GROUP",
            description = "The group, as after g= in ids.")
    private @Nullable String group;

    @Option(
            names = "--cluster",
            paramLabel = "NAME",
            description = "The content cluster, instead of namespace and type.")
    private @Nullable String cluster;

    @Option(
            names = {"-t", "--type"},
            paramLabel = "NAME",
            description = "The document type, with any namespace.")
    private @Nullable String typeOfAny;

    @Option(
            names = {"-g", "--group"},
            paramLabel = "NAME",
            description = "The group, with --type.")
    private @Nullable String groupOfAny;

    @Option(
            names = "--selection",
            paramLabel = "SELECTION",
            description = "The documents to write.")
    private @Nullable String selection;

    @Option(
            names = "--fields",
            paramLabel = "FIELDSET",
            description = "The fields to write: TYPE:NAME,NAME (those of the document block).")
    private @Nullable String fieldSet;

    @Option(
            names = "--iso-dates",
            description = "Write times as texts, such as 2024-05-01T10:00:00Z.")
    private boolean hasIsoDates;

    @Option(
            names = "--slices",
            paramLabel = "N",
            defaultValue = "1",
            description = "How many parts are read at the same time (${DEFAULT-VALUE}).")
    private int slices = 1;

    @Option(
            names = "--output",
            paramLabel = "FILE",
            defaultValue = "-",
            description =
                    "The output file; - for standard output (${DEFAULT-VALUE}). Without --progress"
                            + " it has its name only when it is complete.")
    private Path output = Path.of("-");

    @Option(
            names = "--progress",
            paramLabel = "FILE",
            description =
                    "Keep the position of the visit in this file while it runs, and continue from"
                            + " it if it exists; needs --output.")
    private @Nullable Path progress;

    @Mixin private DocumentsTarget target = new DocumentsTarget();

    private final AtomicLong documents = new AtomicLong();
    private final AtomicReference<Double> percent = new AtomicReference<>(0.0);

    @Override
    public Integer call() throws IOException, InterruptedException {
        ClientVisit visit = typeOfAny == null ? visit() : visitOfType(typeOfAny);
        boolean isFile = !output.toString().equals("-");
        Path state = progress;
        if (state != null && !isFile) {
            throw new ParameterException(spec.commandLine(), "--progress needs --output");
        }
        PrintWriter err = spec.commandLine().getErr();
        try (var line =
                        new ProgressLine(
                                err,
                                TerminalOutput.isErr() && isFile,
                                "documents",
                                () -> percent.get() / 100);
                var client = new VisitClient(target.server())) {
            if (!isFile) {
                write(client, visit, System.out, line);
            } else if (state == null) {
                Path part = output.resolveSibling(output.getFileName() + ".part");
                try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(part))) {
                    write(client, visit, out, line);
                }
                Files.move(part, output, StandardCopyOption.REPLACE_EXISTING);
            } else {
                continued(client, visit, state, line);
            }
        }
        err.printf("%,d documents%n", documents.get());
        err.flush();
        return ExitStatus.DONE;
    }

    private ClientVisit visit() {
        ClientVisit visit = shaped(place());
        if (selection != null) {
            visit = visit.withSelection(selection);
        }
        return fieldSet == null ? visit : visit.withFieldSet(fieldSet);
    }

    private ClientVisit shaped(ClientVisit visit) {
        ClientVisit shaped = visit.withSlices(slices).with("format.tensors", "hex");
        return hasIsoDates ? shaped.with("format.dates", "iso") : shaped;
    }

    /** Returns the visit of a type in the cluster that stores it, with all namespaces. */
    private ClientVisit visitOfType(String type) throws IOException, InterruptedException {
        if (namespace != null || cluster != null) {
            throw new ParameterException(
                    spec.commandLine(), "expected --type, or NAMESPACE and TYPE, or --cluster");
        }
        String selected = type;
        if (groupOfAny != null) {
            String name = groupOfAny.replace("\\", "\\\\").replace("'", "\\'");
            selected += " and id.group=='" + name + "'";
        }
        if (selection != null) {
            selected += " and (" + selection + ")";
        }
        try (var client = new QueryClient(target.server(), HttpClient.Version.HTTP_1_1)) {
            StoredGroups stored = client.groups(Map.of("type", type, "limit", "0"));
            ClientVisit visit =
                    shaped(ClientVisit.ofCluster(stored.types().getFirst().cluster()))
                            .withSelection(selected);
            return fieldSet == null ? visit : visit.withFieldSet(fieldSet);
        }
    }

    private ClientVisit place() {
        if (groupOfAny != null) {
            throw new ParameterException(spec.commandLine(), "--group needs --type");
        }
        if (cluster != null && namespace == null) {
            return ClientVisit.ofCluster(cluster);
        }
        if (namespace == null || documentType == null || cluster != null) {
            throw new ParameterException(
                    spec.commandLine(), "expected NAMESPACE and TYPE, or --cluster");
        }
        return group == null
                ? ClientVisit.ofType(namespace, documentType)
                : ClientVisit.ofGroup(namespace, documentType, group);
    }

    private void continued(VisitClient client, ClientVisit visit, Path state, ProgressLine line)
            throws IOException, InterruptedException {
        boolean isContinued = Files.exists(state);
        ClientVisit from = isContinued ? visit.from(Files.readString(state).strip()) : visit;
        try (OutputStream out =
                new BufferedOutputStream(
                        isContinued
                                ? Files.newOutputStream(
                                        output,
                                        StandardOpenOption.CREATE,
                                        StandardOpenOption.APPEND)
                                : Files.newOutputStream(output))) {
            write(client, from, out, line);
        }
        Files.deleteIfExists(state);
    }

    private void write(VisitClient client, ClientVisit visit, OutputStream out, ProgressLine line)
            throws IOException, InterruptedException {
        try {
            client.forEach(
                    visit,
                    event -> {
                        try {
                            take(event, out);
                        } catch (IOException e) {
                            throw new UncheckedIOException(e);
                        }
                        line.show(documents.get(), 0);
                    });
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private void take(VisitEvent event, OutputStream out) throws IOException {
        switch (event) {
            case VisitEvent.Visited(String text) -> {
                out.write((text + "\n").getBytes(StandardCharsets.UTF_8));
                documents.incrementAndGet();
            }
            case VisitEvent.Progress(String position, double reached) -> {
                percent.set(reached);
                out.flush();
                Path state = progress;
                if (state != null) {
                    Path part = state.resolveSibling(state.getFileName() + ".part");
                    Files.writeString(part, position);
                    Files.move(part, state, StandardCopyOption.REPLACE_EXISTING);
                }
            }
        }
    }
}
