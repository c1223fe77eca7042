package org.crabro.content.node;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;
import org.crabro.content.storage.backup.AttachmentWriter;
import org.crabro.content.storage.journal.MappedLogFiles;
import org.crabro.content.storage.merge.CompactionPace;
import org.crabro.content.storage.partition.RunLog;
import org.crabro.content.storage.store.DocumentStore;
import org.crabro.content.storage.store.StoreOptions;
import org.crabro.content.storage.store.StoredFiles;
import org.crabro.document.LocationKey;

/**
 * Golden data directories: written once by a version of the program, committed, and read by every
 * later version. Each is a zip in the test resources, next to a text with its content.
 *
 * <p>{@link #main} writes them. The committed ones of {@code 1} were written by commit 75907655,
 * with this class added to it, and the backup of {@code 2} by the first version whose backups
 * contain packages. A version that writes another format adds directories with a new number; the
 * old ones are not changed.
 */
final class GoldenData {
    private static final String RESOURCES = "golden/";

    /** The package in a golden backup, from 2 on. */
    static final String ATTACHED = "packages/1/services.xml";

    private GoldenData() {}

    /**
     * Writes golden directories.
     *
     * @param args a directory for them, and their number
     */
    public static void main(String[] args) throws IOException {
        Path to = Path.of(args[0]);
        String number = args[1];
        Path work = Files.createTempDirectory("golden");
        Path data = work.resolve("data");
        Path unpacked = work.resolve("package");
        writeRuns(data, unpacked);
        Path backup = work.resolve("backup");
        Path killed = work.resolve("killed");
        try (GoldenNode golden = GoldenNode.open(data, unpacked)) {
            golden.node().backup(backup, GoldenData::attach);
            zip(backup, to.resolve("backup-" + number + ".zip"));
            Files.writeString(to.resolve("backup-" + number + ".txt"), golden.contents());
            // Acknowledged writes that are in no run: only the journal has them.
            golden.feed(5, 40);
            golden.removeSome(40);
            golden.removeGroup("mail", new LocationKey.Numbered(7));
            copy(data, killed);
            zip(killed, to.resolve("killed-" + number + ".zip"));
            Files.writeString(to.resolve("killed-" + number + ".txt"), golden.contents());
            golden.node().flush();
            golden.feed(6, 10);
            golden.node().flush();
            Files.writeString(to.resolve("closed-" + number + ".txt"), golden.contents());
        }
        zip(data, to.resolve("closed-" + number + ".zip"));
    }

    private static void attach(AttachmentWriter target) throws IOException {
        try (InputStream services = resource("application/services.xml")) {
            target.add(ATTACHED, services);
        }
    }

    /** Flushes that are merged in part, and a schema that gets a field in between. */
    private static void writeRuns(Path data, Path unpacked) throws IOException {
        try (GoldenNode golden = GoldenNode.open(data, unpacked, false)) {
            golden.feed(1, 60);
            golden.node().flush();
            golden.feed(2, 60);
            golden.removeSome(60);
            golden.node().flush();
        }
        mergeAll(data);
        try (GoldenNode golden = GoldenNode.open(data, unpacked)) {
            golden.feed(3, 30);
            golden.removeGroup("mail", new LocationKey.Group("carl"));
            golden.node().flush();
            golden.feed(4, 30);
            golden.update(4, 30);
            golden.node().flush();
        }
        beginMerges(data);
    }

    private static void mergeAll(Path data) throws IOException {
        try (var files = new MappedLogFiles(data);
                DocumentStore store =
                        DocumentStore.open(
                                files,
                                StoreOptions.of(
                                        GoldenNode.PARTITIONS.count(),
                                        GoldenNode.recent(GoldenNode.merging(1 << 20)),
                                        InstantSource.system()))) {
            store.compact();
        }
    }

    /** One step of a merge in each partition; the manifest records its progress. */
    private static void beginMerges(Path data) throws IOException {
        try (var files = new MappedLogFiles(data)) {
            var types = StoredFiles.open(files, _ -> {}, _ -> {});
            for (int i = 0; i < GoldenNode.PARTITIONS.count(); i++) {
                try (RunLog log = RunLog.open(files, DocumentStore.directory(i), types)) {
                    log.compact(
                            GoldenNode.merging(1_000),
                            CompactionPace.UNLIMITED,
                            log.lastTimestamp() + 1_000);
                }
            }
        }
    }

    static InputStream resource(String name) {
        return Objects.requireNonNull(
                GoldenData.class.getResourceAsStream(RESOURCES + name), RESOURCES + name);
    }

    /** Unpacks a golden directory. */
    static void unpack(String name, Path to) throws IOException {
        try (var zip = new ZipInputStream(resource(name + ".zip"))) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                Path file = to.resolve(entry.getName());
                Files.createDirectories(file.resolve("..").normalize());
                Files.copy(zip, file);
            }
        }
    }

    /**
     * Returns the content of a golden directory, as {@link GoldenNode#contents} returned it once.
     */
    static String expected(String name) throws IOException {
        try (InputStream text = resource(name + ".txt")) {
            return new String(text.readAllBytes(), UTF_8);
        }
    }

    private static void zip(Path directory, Path to) throws IOException {
        Files.deleteIfExists(to);
        try (var zip = new ZipOutputStream(Files.newOutputStream(to))) {
            for (Path file : files(directory)) {
                var entry = new ZipEntry(directory.relativize(file).toString().replace('\\', '/'));
                entry.setTimeLocal(java.time.LocalDateTime.of(2026, 1, 1, 0, 0));
                zip.putNextEntry(entry);
                Files.copy(file, zip);
                zip.closeEntry();
            }
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        for (Path file : files(from)) {
            Path copied = to.resolve(from.relativize(file));
            Files.createDirectories(copied.resolve("..").normalize());
            Files.copy(file, copied, StandardCopyOption.COPY_ATTRIBUTES);
        }
    }

    /** Returns the files below a directory, sorted. */
    static List<Path> files(Path directory) throws IOException {
        Set<Path> files = new TreeSet<>();
        Files.walkFileTree(
                directory,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                        files.add(file);
                        return FileVisitResult.CONTINUE;
                    }
                });
        return List.copyOf(files);
    }
}
