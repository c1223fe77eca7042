package org.crabro.server;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.crabro.client.deploy.PackageDirectory;
import org.crabro.config.application.DirectoryFiles;
import org.crabro.config.application.InvalidPackageException;
import org.crabro.config.application.Notice;
import org.crabro.config.application.PackageArchive;
import org.crabro.config.application.PackageLimits;
import org.crabro.config.deploy.ApplicationCompiler;
import org.crabro.config.deploy.CompiledApplication;
import org.crabro.config.deploy.InvalidApplicationException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

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
    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(
            paramLabel = "PACKAGE",
            description =
                    "A directory with services.xml, one with src/main/application or"
                            + " target/application in it, or a .zip or .tgz file.")
    private Path given = Path.of("");

    @Option(names = "--verbose", description = "Also print notices below a warning.")
    private boolean isVerbose;

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        int status =
                Files.isRegularFile(given)
                        ? archive(out)
                        : check(PackageDirectory.find(given), out);
        out.flush();
        return status;
    }

    private int archive(PrintWriter out) throws IOException {
        String name = given.toString().toLowerCase(Locale.ROOT);
        PackageArchive.Format format =
                name.endsWith(".zip") ? PackageArchive.Format.ZIP : PackageArchive.Format.TAR_GZIP;
        Path unpacked = Files.createTempDirectory("crabro-validate");
        try {
            PackageArchive.unpack(given, format, unpacked, PackageLimits.DEFAULT);
            return check(DirectoryFiles.of(unpacked), out);
        } catch (InvalidPackageException e) {
            out.println(e.getMessage());
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

    private int check(Path directory, PrintWriter out) throws IOException {
        DirectoryFiles files;
        try {
            files = DirectoryFiles.sentOf(directory);
        } catch (InvalidPackageException e) {
            out.println(e.getMessage());
            return 1;
        }
        return check(files, out);
    }

    private int check(DirectoryFiles files, PrintWriter out) {
        try {
            CompiledApplication compiled = ApplicationCompiler.compile(files, 1);
            tell(compiled.notices(), out);
            List<String> late = compiled.overrides().problems(LocalDate.now(ZoneOffset.UTC));
            if (!late.isEmpty()) {
                late.forEach(out::println);
                return 1;
            }
            out.printf(
                    "Valid: %d schemas, %d container clusters, %d content clusters.%n",
                    compiled.model().schemas().size(),
                    compiled.model().services().containers().size(),
                    compiled.model().services().contents().size());
            return 0;
        } catch (InvalidApplicationException e) {
            tell(e.notices(), out);
            e.problems().forEach(out::println);
            return 1;
        }
    }

    private void tell(List<Notice> notices, PrintWriter out) {
        for (Notice notice : notices) {
            if (isVerbose || notice.level() == Notice.Level.WARNING) {
                out.printf("%s: %s%n", notice.level(), notice.message());
            }
        }
    }
}
