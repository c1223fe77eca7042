package org.crabro.client.cli;

import com.github.luben.zstd.ZstdOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Makes a significance model of documents: in how many of them each word is. */
@Command(
        name = "significance",
        mixinStandardHelpOptions = true,
        description =
                "Counts the documents that contain each word, and writes a significance model. The"
                        + " file has its final name only when it is complete.",
        footerHeading = "%nExamples:%n",
        footer = {"  crabro significance documents.jsonl --output significance.json --field text"})
public final class SignificanceCommand implements Callable<Integer> {
    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(
            paramLabel = "FILE",
            description =
                    "Documents, as they are fed or as a visit writes them; - for standard input.")
    private Path file = Path.of("-");

    @Option(
            names = "--output",
            paramLabel = "FILE",
            defaultValue = "-",
            description = "The output file; - for standard output (${DEFAULT-VALUE}).")
    private Path output = Path.of("-");

    @Option(
            names = "--field",
            paramLabel = "NAME",
            description =
                    "Count only words of this field; repeatable. Without it all texts are counted.")
    private List<String> fields = List.of();

    @Option(
            names = "--language",
            paramLabel = "TAG",
            defaultValue = "en",
            description = "The language of the words, or several: en,un (${DEFAULT-VALUE}).")
    private String language = "en";

    @Option(
            names = "--least",
            paramLabel = "N",
            defaultValue = "2",
            description =
                    "Leave out words in fewer documents (${DEFAULT-VALUE}): those that a model does"
                            + " not have count as in one.")
    private long least = 2;

    @Option(
            names = "--id",
            paramLabel = "TEXT",
            defaultValue = "crabro",
            description = "The id of the model (${DEFAULT-VALUE}).")
    private String id = "crabro";

    @Option(names = "--zst", description = "Compress it by Zstandard.")
    private boolean isCompressed;

    @Override
    public Integer call() throws IOException {
        if (least < 1) {
            throw new ParameterException(spec.commandLine(), "--least is below 1");
        }
        if (!language.matches("[A-Za-z0-9_-]+(,[A-Za-z0-9_-]+)*")) {
            throw new ParameterException(
                    spec.commandLine(), "--language: expected a tag such as en, or en,un");
        }
        var words = new DocumentWords(fields);
        try (InputStream documents = open()) {
            words.read(documents);
        }
        words.check();
        long written = write(words);
        spec.commandLine()
                .getErr()
                .printf(
                        "%d documents, %d words, %d of them in fewer than %d and left out%n",
                        words.documents(), words.size(), words.size() - written, least);
        if (words.others() > 0) {
            spec.commandLine()
                    .getErr()
                    .printf("%d operations are no puts, and not counted%n", words.others());
        }
        spec.commandLine().getErr().flush();
        return 0;
    }

    private InputStream open() throws IOException {
        return file.toString().equals("-") ? System.in : Files.newInputStream(file);
    }

    private long write(DocumentWords words) throws IOException {
        if (output.toString().equals("-")) {
            long written = write(words, System.out);
            System.out.flush();
            return written;
        }
        Path part = output.resolveSibling(output.getFileName() + ".part");
        long written;
        try (OutputStream out = Files.newOutputStream(part)) {
            written = write(words, out);
        }
        Files.move(part, output, StandardCopyOption.REPLACE_EXISTING);
        return written;
    }

    private long write(DocumentWords words, OutputStream out) throws IOException {
        if (!isCompressed) {
            return words.write(out, id, language, least);
        }
        try (var compressed = new ZstdOutputStream(out)) {
            return words.write(compressed, id, language, least);
        }
    }
}
