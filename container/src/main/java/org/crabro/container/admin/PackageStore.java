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
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The packages that were deployed, unpacked in a directory.
 *
 * <pre>
 *   active        the number of the active generation, in digits
 *   last          the number that was given last, in digits
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
    private static final String UPLOAD = "upload-";

    private final Path directory;
    private OptionalLong active;
    private volatile OptionalLong previous = OptionalLong.empty();
    private long last;

    private PackageStore(Path directory, OptionalLong active, long last) {
        this.directory = directory;
        this.active = active;
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
        OptionalLong active = readNumber(directory.resolve(ACTIVE));
        long last = readNumber(directory.resolve(LAST)).orElse(0);
        var store = new PackageStore(directory, active, Math.max(last, active.orElse(0)));
        store.deleteAllBut(List.of(active.orElse(0)));
        return store;
    }

    private static OptionalLong readNumber(Path file) throws IOException {
        try {
            String text = Files.readString(file).strip();
            if (!text.matches("[0-9]{1,18}")) {
                throw new IOException(
                        file + ": expected the number of a generation, but found '" + text + "'");
            }
            return OptionalLong.of(Long.parseLong(text));
        } catch (NoSuchFileException e) {
            return OptionalLong.empty();
        }
    }

    /** Returns the generation that was made active last. */
    OptionalLong active() {
        return active;
    }

    /** Returns the generation before the active one, whose files are kept. */
    OptionalLong previous() {
        return previous;
    }

    /** Returns a number that no generation of this store ever had. */
    long newGeneration() throws IOException {
        writeNumber(LAST, last + 1);
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
     * Makes {@code generation} the one that a restart begins with, and deletes what neither it nor
     * the one before nor any of {@code sessions} needs.
     */
    void activate(long generation, Collection<Long> sessions) throws IOException {
        writeNumber(ACTIVE, generation);
        previous = active;
        active = OptionalLong.of(generation);
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

    /** Replaces the number in a file in one step. */
    private void writeNumber(String name, long number) throws IOException {
        Path next = directory.resolve(name + ".new");
        try (var file =
                FileChannel.open(
                        next,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE)) {
            var bytes = ByteBuffer.wrap((number + "\n").getBytes(StandardCharsets.US_ASCII));
            while (bytes.hasRemaining()) {
                file.write(bytes);
            }
            file.force(true);
        }
        forceDirectory();
        Files.move(next, directory.resolve(name), StandardCopyOption.ATOMIC_MOVE);
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
