package org.crabro.server;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.crabro.client.cli.OutputOptions;
import org.crabro.client.deploy.PackageDirectory;
import org.crabro.client.terminal.OutputFormat;
import org.crabro.client.terminal.RecordOutput;
import org.crabro.config.application.DirectoryFiles;
import org.crabro.config.application.InvalidPackageException;
import org.crabro.config.application.Notice;
import org.crabro.config.application.PackageArchive;
import org.crabro.config.application.PackageLimits;
import org.crabro.config.deploy.ApplicationCompiler;
import org.crabro.config.deploy.CompiledApplication;
import org.crabro.config.deploy.InvalidApplicationException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Checks an application package without a server. */
@Command(
        name = "validate",
        mixinStandardHelpOptions = true,
        description = {
            "Checks an application package as a deployment would, without a server.",
            "The exit status is 1 if the package is not valid."
        },
        footerHeading = "%nExamples:%n",
        footer = {"  crabro validate samples/notes", "  crabro validate application.zip --verbose"})
final class ValidateCommand implements Callable<Integer> {
    /** The level of the last line of a valid package. */
    private static final String DONE = "DONE";

    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(
            paramLabel = "PACKAGE",
            description =
                    "A directory with services.xml, one with src/main/application or"
                            + " target/application in it, or a .zip or .tgz file.")
    private Path given = Path.of("");

    @Option(names = "--verbose", description = "Also print notices below a warning.")
    private boolean isVerbose;

    @Mixin private OutputOptions output = new OutputOptions();

    /**
     * A line of the result.
     *
     * @param level that of a notice; ERROR for what makes a package invalid
     */
    private record Message(String level, String text) {
        static Message error(String text) {
            return new Message("ERROR", text);
        }

        ObjectNode json() {
            return JsonNodeFactory.instance.objectNode().put("level", level).put("message", text);
        }

        /** Returns the line for people; the level is shown for notices alone. */
        String line() {
            return isNotice() ? level + ": " + text : text;
        }

        private boolean isNotice() {
            return !level.equals("ERROR") && !level.equals(DONE);
        }
    }

    @Override
    public Integer call() throws IOException {
        OutputFormat format = output.orElse(OutputFormat.TABLE);
        List<Message> messages = new ArrayList<>();
        int status =
                Files.isRegularFile(given)
                        ? archive(messages)
                        : check(PackageDirectory.find(given), messages);
        if (format == OutputFormat.TABLE) {
            PrintWriter out = spec.commandLine().getOut();
            messages.forEach(each -> out.println(each.line()));
            out.flush();
        } else {
            RecordOutput.print(messages.stream().map(Message::json).toList(), format, spec);
        }
        return status;
    }

    private int archive(List<Message> out) throws IOException {
        String name = given.toString().toLowerCase(Locale.ROOT);
        PackageArchive.Format format =
                name.endsWith(".zip") ? PackageArchive.Format.ZIP : PackageArchive.Format.TAR_GZIP;
        Path unpacked = Files.createTempDirectory("crabro-validate");
        try {
            PackageArchive.unpack(given, format, unpacked, PackageLimits.DEFAULT);
            return check(DirectoryFiles.of(unpacked), out);
        } catch (InvalidPackageException e) {
            out.add(Message.error(String.valueOf(e.getMessage())));
            return 1;
        } finally {
            delete(unpacked);
        }
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> paths = Files.walk(directory)) {
            for (Path path : paths.toList().reversed()) {
                Files.delete(path);
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private int check(Path directory, List<Message> out) throws IOException {
        DirectoryFiles files;
        try {
            files = DirectoryFiles.sentOf(directory);
        } catch (InvalidPackageException e) {
            out.add(Message.error(String.valueOf(e.getMessage())));
            return 1;
        }
        return check(files, out);
    }

    private int check(DirectoryFiles files, List<Message> out) {
        try {
            CompiledApplication compiled = ApplicationCompiler.compile(files, 1);
            tell(compiled.notices(), out);
            List<String> late = compiled.overrides().problems(LocalDate.now(ZoneOffset.UTC));
            if (!late.isEmpty()) {
                late.stream().map(Message::error).forEach(out::add);
                return 1;
            }
            out.add(
                    new Message(
                            DONE,
                            "Valid: %d schemas, %d container clusters, %d content clusters."
                                    .formatted(
                                            compiled.model().schemas().size(),
                                            compiled.model().services().containers().size(),
                                            compiled.model().services().contents().size())));
            return 0;
        } catch (InvalidApplicationException e) {
            tell(e.notices(), out);
            e.problems().stream().map(Message::error).forEach(out::add);
            return 1;
        }
    }

    private void tell(List<Notice> notices, List<Message> out) {
        for (Notice notice : notices) {
            if (isVerbose || notice.level() == Notice.Level.WARNING) {
                out.add(new Message(notice.level().toString(), notice.message()));
            }
        }
    }
}
