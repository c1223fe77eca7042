package org.crabro.server;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.crabro.content.storage.integrity.Restore;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Checks a backup and installs it into an empty data directory. */
@Command(
        name = "restore",
        mixinStandardHelpOptions = true,
        description = {
            "Checks every checksum of a backup, then copies it into an empty data directory.",
            "The backup is not changed. A server on the directory then starts with the documents"
                    + " and the application of the backup."
        },
        footerHeading = "%nExamples:%n",
        footer = {"  crabro restore /backups/monday --data crabro-data"})
final class RestoreCommand implements Callable<Integer> {
    /**
     * The directories that a server creates before it opens its data, and that of a new file
     * system.
     */
    private static final Set<String> IGNORED = Set.of("logs", "native", "lost+found");

    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "BACKUP", description = "The directory of the backup.")
    private Path backup = Path.of("");

    @Option(
            names = "--data",
            paramLabel = "DIR",
            defaultValue = "crabro-data",
            description = "The data directory for a server: empty, or created (${DEFAULT-VALUE}).")
    private Path data = Path.of("crabro-data");

    @Override
    public Integer call() throws IOException {
        Path documents = data.resolve(ServerSettings.CONTENT_DIRECTORY);
        refuseFiles();
        Restore.refuseFiles(documents);
        Restore checked = Restore.check(backup);
        var further = new TreeMap<Integer, Restore>();
        int stores = new StorePlacesFile(backup.resolve(StorePlacesFile.NAME)).read().count();
        for (int number = 1; number < stores; number++) {
            further.put(number, Restore.check(DataFiles.storeIn(backup, number)));
        }
        // The first store is restored last: a server does not start without it.
        long files = 0;
        long bytes = 0;
        for (Map.Entry<Integer, Restore> each : further.entrySet()) {
            Restore.Report report = each.getValue().into(DataFiles.store(documents, each.getKey()));
            files += report.files();
            bytes += report.bytes();
        }
        Restore.Report report = checked.into(documents);
        PrintWriter out = spec.commandLine().getOut();
        out.printf(
                "%s: %d files of %d bytes, with everything acknowledged before %s%n",
                data, files + report.files(), bytes + report.bytes(), report.begun());
        out.println(
                report.attached().contains(DataFiles.ACTIVE_PACKAGE)
                        ? "The application is active when a server starts on it."
                        : "The backup has no application: deploy one when the server has started.");
        out.flush();
        return 0;
    }

    private void refuseFiles() throws IOException {
        Path place = data.toAbsolutePath().normalize();
        if (place.startsWith(backup.toAbsolutePath().normalize())) {
            throw new IOException("the data directory is in the backup: " + place);
        }
        if (!Files.exists(data)) {
            return;
        }
        Optional<String> other = otherFile();
        if (other.isPresent()) {
            throw new IOException(
                    "the data directory '%s' is not empty: it has '%s'"
                            .formatted(data, other.get()));
        }
    }

    /** Returns a file outside the directory of documents that a restore must not mix with. */
    private Optional<String> otherFile() throws IOException {
        try (Stream<Path> entries = Files.list(data)) {
            return entries.map(entry -> entry.getFileName().toString())
                    .filter(name ->
                            !IGNORED.contains(name)
                                    && !name.equals(ServerSettings.CONTENT_DIRECTORY))
                    .sorted()
                    .findFirst();
        }
    }
}
