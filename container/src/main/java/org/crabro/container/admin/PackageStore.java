package org.crabro.container.admin;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.crabro.config.application.ApplicationName;
import org.crabro.container.file.DurableFiles;

/**
 * The packages that were deployed, unpacked in a directory.
 *
 * <pre>
 *   active        the number of the active generation, in digits, and the name of the application
 *                 if it is not default.default.default
 *   last          the last assigned number, in digits
 *   tenants       the tenants in addition to default, one per line
 *   history       the last activations and removals, see {@link PackageHistory}
 *   1, 2, ...     a directory for each generation that is kept, and for each session
 *   upload-...    a package that is being received
 * </pre>
 *
 * <p>A generation's files are forced before {@code active} names it, and {@code active} is replaced
 * in one step, so that a crash leaves either the old generation or the new one. Numbers are never
 * given twice, also after a restart: a client must not activate a session of another client by an
 * old number. For one thread, except uploads, {@link #files}, {@link #previous()} and {@link
 * #copyActive}.
 */
final class PackageStore {
    private static final String ACTIVE = "active";
    private static final String LAST = "last";
    private static final String TENANTS = "tenants";
    private static final String UPLOAD = "upload-";

    private final Path directory;

    /** The active generation. Changed under the lock of {@link #copied}. */
    private volatile Optional<Named> active;

    private volatile OptionalLong previous = OptionalLong.empty();
    private long last;

    /** The generations that are being copied; their files are not deleted. */
    private final List<Long> copied = new ArrayList<>();

    private final PackageCopies copies;

    private PackageStore(Path directory, Optional<Named> active, long last, PackageCopies copies) {
        this.directory = directory;
        this.active = active;
        this.last = last;
        this.copies = copies;
    }

    /**
     * Opens the store in {@code directory}, which is created if it is missing, and deletes packages
     * that never became active.
     *
     * @throws IOException if it cannot be read or written
     */
    static PackageStore open(Path directory) throws IOException {
        return open(directory, PackageCopies.NONE);
    }

    /**
     * Opens the store in {@code directory} as above, and brings it to what other config servers
     * know.
     */
    static PackageStore open(Path directory, PackageCopies copies) throws IOException {
        Files.createDirectories(directory);
        Optional<PackageCopies.Deployed> recorded = copies.recorded();
        if (recorded.isPresent()) {
            Optional<Named> named = recorded.get().active().map(Named::of);
            var store = new PackageStore(directory, named, recorded.get().last(), copies);
            store.write(LAST, Long.toString(recorded.get().last()));
            store.write(TENANTS, String.join("\n", recorded.get().tenants()));
            if (named.isPresent()) {
                store.write(ACTIVE, named.get().text());
            }
            return store;
        }
        Optional<Named> named = read(directory.resolve(ACTIVE));
        long active = number(named).orElse(0);
        long last = number(read(directory.resolve(LAST))).orElse(0);
        var store = new PackageStore(directory, named, Math.max(last, active), copies);
        store.deleteAllBut(List.of(active));
        return store;
    }

    /** Returns the sessions that waited for activation when another config server led. */
    List<PackageCopies.Session> sessions() {
        return copies.recorded().map(PackageCopies.Deployed::sessions).orElse(List.of());
    }

    /** Keeps the files of a session on other config servers too. */
    void keep(PackageCopies.Session session, Collection<Long> others) throws IOException {
        copies.keep(session, files(session.number()), others);
    }

    /** A generation, and the name of its application. */
    private record Named(long number, ApplicationName name) {
        private static Named of(PackageCopies.Named named) {
            return new Named(named.number(), named.name());
        }

        /** Returns the content of the file that names this active. */
        String text() {
            return name.equals(ApplicationName.DEFAULT)
                    ? Long.toString(number)
                    : number + " " + name.text();
        }
    }

    private static OptionalLong number(Optional<Named> named) {
        return named.isPresent() ? OptionalLong.of(named.get().number()) : OptionalLong.empty();
    }

    private static Optional<Named> read(Path file) throws IOException {
        try {
            String text = Files.readString(file).strip();
            String[] words = text.split(" ", 2);
            Optional<ApplicationName> name =
                    words.length == 1
                            ? Optional.of(ApplicationName.DEFAULT)
                            : ApplicationName.parse(words[1]);
            if (!words[0].matches("[0-9]{1,18}") || name.isEmpty()) {
                throw new IOException(
                        file + ": expected the number of a generation, but found '" + text + "'");
            }
            return Optional.of(new Named(Long.parseLong(words[0]), name.get()));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    /** Returns the stored tenants. */
    List<String> tenants() throws IOException {
        try {
            return Files.readAllLines(directory.resolve(TENANTS));
        } catch (NoSuchFileException e) {
            return List.of();
        }
    }

    /** Stores the tenants in one step. */
    void writeTenants(Collection<String> names) throws IOException {
        copies.keepTenants(names);
        write(TENANTS, String.join("\n", names));
    }

    /** Returns the last active generation. */
    OptionalLong active() {
        return number(active);
    }

    /** Returns the name of the last active application. */
    ApplicationName name() {
        return active.map(Named::name).orElse(ApplicationName.DEFAULT);
    }

    /** Returns the generation before the active one, whose files are kept. */
    OptionalLong previous() {
        return previous;
    }

    /** Returns an unused number of a generation. */
    long newGeneration() throws IOException {
        write(LAST, Long.toString(last + 1));
        last++;
        return last;
    }

    /** Returns the directory of the files of {@code generation}. */
    Path files(long generation) {
        return directory.resolve(Long.toString(generation));
    }

    /** Returns the file of the history. */
    Path history() {
        return directory.resolve("history");
    }

    /** Returns a new file for an upload. */
    Path newUpload() throws IOException {
        return Files.createTempFile(directory, UPLOAD, "");
    }

    /** Returns a new directory for the parts of a form. */
    Path newUploadDirectory() throws IOException {
        return Files.createTempDirectory(directory, UPLOAD);
    }

    /** Deletes an upload. */
    void deleteUpload(Path upload) throws IOException {
        DurableFiles.deleteTree(upload);
    }

    /**
     * Records {@code generation} of {@code called} as active for restarts, and deletes the files
     * that neither it, nor the one before, nor one of {@code sessions} needs.
     */
    void activate(long generation, ApplicationName called, Collection<Long> sessions)
            throws IOException {
        var next = new Named(generation, called);
        write(ACTIVE, next.text());
        var retained = new ArrayList<>(sessions);
        synchronized (copied) {
            previous = number(active);
            active = Optional.of(next);
            retained.addAll(copied);
        }
        // Requests in progress still use the generation before, which may load its models late.
        retained.add(generation);
        previous.ifPresent(retained::add);
        deleteAllBut(retained);
    }

    /**
     * Records that no generation is active. Requests in progress may still need the files of the
     * old one; the next activation or start deletes them.
     */
    void deactivate() throws IOException {
        Files.deleteIfExists(directory.resolve(ACTIVE));
        DurableFiles.forceNames(directory);
        synchronized (copied) {
            active = Optional.empty();
            previous = OptionalLong.empty();
        }
    }

    /**
     * Copies the active generation for another store: its files, its name, the last number and the
     * tenants. Deployments continue during the copy.
     */
    void copyActive(DataBackup.Copies copies) throws IOException {
        Optional<Named> named;
        synchronized (copied) {
            named = active;
            number(named).ifPresent(copied::add);
        }
        try {
            if (named.isPresent()) {
                copyFiles(named.get().number(), copies);
                copies.add(ACTIVE, bytes(named.get().text()));
            }
            for (String file : List.of(LAST, TENANTS)) {
                if (Files.exists(directory.resolve(file))) {
                    // Replaced in one step, so an opened file is complete.
                    try (InputStream content = Files.newInputStream(directory.resolve(file))) {
                        copies.add(file, content);
                    }
                }
            }
        } finally {
            synchronized (copied) {
                number(named).ifPresent(copied::remove);
            }
        }
    }

    private void copyFiles(long generation, DataBackup.Copies copies) throws IOException {
        List<Path> files;
        try (Stream<Path> entries = Files.walk(files(generation))) {
            files = entries.filter(Files::isRegularFile).sorted().toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        for (Path file : files) {
            String path =
                    StreamSupport.stream(directory.relativize(file).spliterator(), false)
                            .map(Path::toString)
                            .collect(Collectors.joining("/"));
            try (InputStream content = Files.newInputStream(file)) {
                copies.add(path, content);
            }
        }
    }

    private static InputStream bytes(String text) {
        return new ByteArrayInputStream((text + "\n").getBytes(StandardCharsets.US_ASCII));
    }

    /** Replaces the content of a file in one step. */
    private void write(String file, String text) throws IOException {
        // What an active generation names must be durable before.
        DurableFiles.forceNames(directory);
        DurableFiles.replace(
                directory.resolve(file), (text + "\n").getBytes(StandardCharsets.US_ASCII));
    }

    /** Deletes the files of a generation that was not activated. */
    void discard(long generation) throws IOException {
        DurableFiles.deleteTree(files(generation));
    }

    private void deleteAllBut(Collection<Long> retained) throws IOException {
        List<Path> entries;
        try (var files = Files.list(directory)) {
            entries = files.toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        for (Path entry : entries) {
            String name = entry.getFileName().toString();
            boolean old = name.matches("[0-9]{1,18}") && !retained.contains(Long.parseLong(name));
            if (old) {
                DurableFiles.deleteTree(entry);
            }
        }
    }

    /** Deletes uploads that were incomplete when the process ended. */
    void deleteUploads() throws IOException {
        try (var uploads = Files.newDirectoryStream(directory, UPLOAD + "*")) {
            for (Path upload : uploads) {
                DurableFiles.deleteTree(upload);
            }
        }
    }
}
