package org.crabro.server;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.crabro.client.cli.OutputOptions;
import org.crabro.client.terminal.OutputFormat;
import org.crabro.content.storage.integrity.Inspection;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Describes the contents of a data directory, and checks it for damage. */
@Command(
        name = "inspect",
        mixinStandardHelpOptions = true,
        description = {
            "Describes the contents of a data directory or a backup, and checks all its checksums.",
            "Nothing is changed; a server may be using the directory. The exit status is 1 if"
                    + " something is damaged."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  crabro inspect crabro-data",
            "  crabro inspect crabro-data --no-verify --groups 3",
            "  crabro inspect /backups/monday --json"
        })
final class InspectCommand implements Callable<Integer> {
    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(
            paramLabel = "DIR",
            description = "The server's --data directory, its content-data, or a backup.")
    private Path directory = Path.of("");

    @Option(
            names = "--no-verify",
            description =
                    "Check only the parts that are read anyway. This is fast; all checks read all files.")
    private boolean isQuick;

    @Option(names = "--blocks", description = "Describe every block and its columns.")
    private boolean tellsBlocks;

    @Option(
            names = "--groups",
            paramLabel = "N",
            defaultValue = "10",
            description = "List the N largest groups (${DEFAULT-VALUE}); 0 for none.")
    private int groups = 10;

    @Mixin private OutputOptions output = new OutputOptions();

    @Override
    public Integer call() throws IOException {
        OutputFormat format = output.orElse(OutputFormat.TABLE);
        if (!Files.isDirectory(directory)) {
            throw new NoSuchFileException(directory.toString());
        }
        PrintWriter out = spec.commandLine().getOut();
        var options = new Inspection.Options(!isQuick, tellsBlocks, groups);
        DamageCount report =
                switch (format) {
                    case JSON, JSONL -> InspectionJson.lines(out);
                    case CSV -> InspectionJson.csv(out);
                    case TABLE -> new InspectionText(out, !isQuick);
                };
        List<Path> stores = DataFiles.allStores(directory);
        for (Path store : stores) {
            if (stores.size() > 1) {
                report.store(store);
            }
            Inspection.run(store, options, report);
        }
        report.end();
        out.flush();
        return report.count() == 0 ? 0 : 1;
    }
}
