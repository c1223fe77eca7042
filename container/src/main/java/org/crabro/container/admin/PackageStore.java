package org.crabro.container.admin;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.crabro.config.application.ApplicationName;
import org.jspecify.annotations.Nullable;

/**
 * The packages that were deployed, unpacked in a directory.
 *
 * <pre>
 *   active        the number of the active generation, in digits, and what the application is
 *                 called where that is not default.default.default
 *   last          the number that was given last, in digits
 *   tenants       who may deploy besides default, a line each
 *   1, 2, ...     a directory for each generation that is kept, and for each session
 *   upload-...    a package that is being received
 * </pre>
 *
 * <p>A generation's files are forced before {@code active} names it, and {@code active} is replaced
 * in one step, so that a crash leaves either the old generation or the new one. Numbers are never
 * given twice, also after a restart: a client that still knows the number of a session must not
 * activate somebody else's. Used by one thread at a time, save for uploads, {@link #files} and
 * {@link #previous()}.
 */
final class PackageStore {
    private static final String ACTIVE = "active";
    private static final String LAST = "last";
    private static final String TENANTS = "tenants";
    private static final String UPLOAD = "upload-";

    private final Path directory;
    private OptionalLong active;
    private ApplicationName name;
    private volatile OptionalLong previous = OptionalLong.empty();
    private long last;

    private PackageStore(Path directory, OptionalLong active, ApplicationName name, long last) {
        this.directory = directory;
        this.active = active;
        this.name = name;
        this.last = last;
    }

    /**
     * Opens the store in {@code directory}, which is made where it is missing, and deletes what
     * never became active.
     *
     * @throws IOException if it cannot be read or written
     */
    static PackageStore open(Path directory) throws IOException {
        Files.createDirectories(directory);
        Optional<Named> named = read(directory.resolve(ACTIVE));
        OptionalLong active = number(named);
        long last = number(read(directory.resolve(LAST))).orElse(0);
        var store =
                new PackageStore(
                        directory,
                        active,
                        named.map(Named::name).orElse(ApplicationName.DEFAULT),
                        Math.max(last, active.orElse(0)));
        store.deleteAllBut(List.of(active.orElse(0)));
        return store;
    }

    /** A generation, and what the application is called. */
    private record Named(long number, ApplicationName name) {}

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

    /** Returns who was said to be a tenant. */
    List<String> tenants() throws IOException {
        try {
            return Files.readAllLines(directory.resolve(TENANTS));
        } catch (NoSuchFileException e) {
            return List.of();
        }
    }

    /** Says who the tenants are, in one step. */
    void writeTenants(Collection<String> names) throws IOException {
        write(TENANTS, String.join("\n", names));
    }

    /** Returns the generation that was made active last. */
    OptionalLong active() {
        return active;
    }

    /** Returns what the application is called that was made active last. */
    ApplicationName name() {
        return name;
    }

    /** Returns the generation before the active one, whose files are kept. */
    OptionalLong previous() {
        return previous;
    }

    /** Returns a number that no generation of this store ever had. */
    long newGeneration() throws IOException {
        write(LAST, Long.toString(last + 1));
        last++;
        return last;
    }

    /** Returns where the files of {@code generation} lie, or are to be put. */
    Path files(long generation) {
        return directory.resolve(Long.toString(generation));
    }

    /** Returns a new file to receive a package in. */
    Path newUpload() throws IOException {
        return Files.createTempFile(directory, UPLOAD, "");
    }

    /** Returns a new directory to receive the parts of a form in. */
    Path newUploadDirectory() throws IOException {
        return Files.createTempDirectory(directory, UPLOAD);
    }

    /** Deletes what was received. */
    void deleteUpload(Path upload) throws IOException {
        delete(upload);
    }

    /**
     * Makes {@code generation} of {@code called} the one that a restart begins with, and deletes
     * what neither it nor the one before nor any of {@code sessions} needs.
     */
    void activate(long generation, ApplicationName called, Collection<Long> sessions)
            throws IOException {
        String number = Long.toString(generation);
        write(
                ACTIVE,
                called.equals(ApplicationName.DEFAULT) ? number : number + " " + called.text());
        previous = active;
        active = OptionalLong.of(generation);
        name = called;
        // Requests under way still hold the generation before, which may read its models late.
        var kept = new ArrayList<>(sessions);
        kept.add(generation);
        previous.ifPresent(kept::add);
        deleteAllBut(kept);
    }

    /**
     * Lets a restart begin with nothing. Requests under way may still need the files of what was
     * active; the next activation or start deletes them.
     */
    void deactivate() throws IOException {
        Files.deleteIfExists(directory.resolve(ACTIVE));
        forceDirectory();
        active = OptionalLong.empty();
        previous = OptionalLong.empty();
    }

    /** Replaces what a file says in one step. */
    private void write(String file, String text) throws IOException {
        Path next = directory.resolve(file + ".new");
        try (var out =
                FileChannel.open(
                        next,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE)) {
            var bytes = ByteBuffer.wrap((text + "\n").getBytes(StandardCharsets.US_ASCII));
            while (bytes.hasRemaining()) {
                out.write(bytes);
            }
            out.force(true);
        }
        forceDirectory();
        Files.move(next, directory.resolve(file), StandardCopyOption.ATOMIC_MOVE);
        forceDirectory();
    }

    /** Deletes the files of a generation that does not become active. */
    void discard(long generation) throws IOException {
        delete(files(generation));
    }

    private void forceDirectory() throws IOException {
        try (var opened = FileChannel.open(directory, StandardOpenOption.READ)) {
            opened.force(true);
        }
    }

    private void deleteAllBut(Collection<Long> kept) throws IOException {
        List<Path> entries;
        try (var found = Files.list(directory)) {
            entries = found.toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        for (Path entry : entries) {
            String name = entry.getFileName().toString();
            boolean old = name.matches("[0-9]{1,18}") && !kept.contains(Long.parseLong(name));
            if (old) {
                delete(entry);
            }
        }
    }

    /** Deletes what was being received when the process ended. */
    void deleteUploads() throws IOException {
        try (var found = Files.newDirectoryStream(directory, UPLOAD + "*")) {
            for (Path upload : found) {
                delete(upload);
            }
        }
    }

    private static void delete(Path path) throws IOException {
        if (!Files.exists(path)) {
            return;
        }
        Files.walkFileTree(
                path,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                            throws IOException {
                        Files.delete(file);
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult postVisitDirectory(
                            Path visited, @Nullable IOException failure) throws IOException {
                        if (failure != null) {
                            throw failure;
                        }
                        Files.delete(visited);
                        return FileVisitResult.CONTINUE;
                    }
                });
    }
}
