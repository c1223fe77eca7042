package org.crabro.client.cli;

import java.io.IOException;
import java.util.concurrent.Callable;
import org.crabro.client.bench.LoadSettings;
import org.crabro.client.bench.VisitLoad;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Visits documents page by page, and prints latencies and rates. */
@Command(
        name = "visit",
        mixinStandardHelpOptions = true,
        description = {
            "Visits documents page by page. Each client visits one slice of them, and begins again at"
                    + " its end.",
            "The exit status is 1 if a request failed."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  crabro bench visit home note -n 2 -s 10",
            "  crabro bench visit home note --selection 'note.time > 10' --page 100 -r 1 --json"
        })
public final class BenchVisitCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "NAMESPACE", description = "The namespace of the ids.")
    private String namespace = "";

    @Parameters(index = "1", paramLabel = "TYPE", description = "The document type.")
    private String documentType = "";

    @Option(
            names = "--selection",
            paramLabel = "SELECTION",
            defaultValue = "",
            description = "Visit the selected documents only.")
    private String selection = "";

    @Option(
            names = "--fields",
            paramLabel = "FIELDS",
            defaultValue = "",
            description = "The fields of the documents, such as note:text,time.")
    private String fieldSet = "";

    @Option(
            names = "--page",
            paramLabel = "N",
            defaultValue = "1000",
            description = "The most documents of an answer (${DEFAULT-VALUE}).")
    private int pageSize = 1000;

    @Mixin private LoadOptions load = new LoadOptions();

    @Mixin private DocumentsTarget target = new DocumentsTarget();

    @Override
    public Integer call() throws IOException, InterruptedException {
        LoadSettings settings = load.settings();
        var documents =
                new VisitLoad.Documents(namespace, documentType, selection, fieldSet, pageSize);
        try (var source =
                new VisitLoad(target.server(), documents, load.clients(), load.rounds())) {
            return load.run(settings, source);
        }
    }
}
