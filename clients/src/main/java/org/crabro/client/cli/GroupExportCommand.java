package org.crabro.client.cli;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.Callable;
import org.crabro.client.visit.VisitClient;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Writes the documents of a group as lines that can be fed. */
@Command(
        name = "export",
        mixinStandardHelpOptions = true,
        description =
                "Writes a group as lines that can be fed. The file has its final name only when it"
                        + " is complete.",
        footerHeading = "%nExamples:%n",
        footer = {"  crabro group export home note anna --output anna.jsonl"})
final class GroupExportCommand implements Callable<Integer> {
    @Spec private CommandSpec spec = CommandSpec.create();

    @Mixin private GroupName group = new GroupName();

    @Option(
            names = "--output",
            paramLabel = "FILE",
            defaultValue = "-",
            description = "The output file; - for standard output (${DEFAULT-VALUE}).")
    private Path output = Path.of("-");

    @Override
    public Integer call() throws IOException, InterruptedException {
        long documents;
        if (output.toString().equals("-")) {
            documents = write(System.out);
            System.out.flush();
        } else {
            Path part = output.resolveSibling(output.getFileName() + ".part");
            try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(part))) {
                documents = write(out);
            }
            Files.move(part, output, StandardCopyOption.REPLACE_EXISTING);
        }
        spec.commandLine().getErr().printf("%d documents of %s%n", documents, group);
        spec.commandLine().getErr().flush();
        return 0;
    }

    private long write(OutputStream out) throws IOException, InterruptedException {
        try (var client = new VisitClient(group.server())) {
            return VisitedLines.write(client, group.visit().with("format.tensors", "hex"), out);
        }
    }
}
