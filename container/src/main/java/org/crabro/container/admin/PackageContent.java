package org.crabro.container.admin;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * The files of a package that is unpacked in a directory, one by one.
 *
 * <p>Paths are relative to the package and normalized; links do not occur in packages. Many threads
 * may read while one writes: a file is replaced in one step.
 */
final class PackageContent {
    /** Longer lists are refused: they are answered from memory. */
    static final int LIST_MAX = 20_000;

    private static final int BUFFER_SIZE = 64 << 10;

    private final Path root;

    /**
     * The changes of files since the session was created; it has no more entries than the package
     * had and has files.
     */
    private final Map<String, Change> changes = new ConcurrentHashMap<>();

    /** How a file has changed. */
    enum Change {
        NEW,
        CHANGED,
        DELETED;

        /** Returns the word that clients know. */
        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * A file or directory.
     *
     * @param path relative to the package; empty for the package itself
     */
    record Entry(String path, boolean isDirectory) {}

    /**
     * The status of a file, as shown to clients.
     *
     * @param md5 of its bytes, in hexadecimal digits; empty for directories and deleted files
     */
    record Status(Entry entry, Change change, String md5) {}

    /** The size of a package; {@code entries} also counts directories. */
    record Size(int entries, long bytes) {}

    PackageContent(Path root) {
        this.root = root;
    }

    /** Returns the file or directory at {@code path}, if it exists. */
    Optional<Entry> find(String path) {
        Path file = root.resolve(path);
        if (Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.of(new Entry(path, true));
        }
        return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                ? Optional.of(new Entry(path, false))
                : Optional.empty();
    }

    /** Opens a file; the caller closes it. An open file can be read even after it is replaced. */
    FileChannel open(String path) throws IOException {
        return FileChannel.open(root.resolve(path), StandardOpenOption.READ);
    }

    /**
     * Returns the contents of the directory at {@code path}, sorted by name; each directory comes
     * before its contents.
     *
     * @return empty if that is more than {@link #LIST_MAX} entries
     */
    Optional<List<Entry>> list(String path, boolean recursive) throws IOException {
        var entries = new ArrayList<Entry>();
        return list(path, recursive, entries) ? Optional.of(entries) : Optional.empty();
    }

    private boolean list(String path, boolean recursive, List<Entry> entries) throws IOException {
        for (String name : names(root.resolve(path))) {
            if (entries.size() >= LIST_MAX) {
                return false;
            }
            String inside = path.isEmpty() ? name : path + "/" + name;
            Optional<Entry> entry = find(inside);
            if (entry.isEmpty()) {
                continue;
            }
            entries.add(entry.get());
            if (recursive && entry.get().isDirectory() && !list(inside, true, entries)) {
                return false;
            }
        }
        return true;
    }

    private static List<String> names(Path directory) throws IOException {
        var names = new ArrayList<String>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            for (Path file : files) {
                names.add(Objects.requireNonNull(file.getFileName()).toString());
            }
        } catch (NoSuchFileException | NotDirectoryException e) {
            // The directory was deleted while it was listed, so it is empty now.
            return List.of();
        }
        names.sort(null);
        return names;
    }

    /** Returns the status of the file or directory at {@code path}, which may be deleted. */
    Optional<Status> status(String path) throws IOException {
        Optional<Entry> entry = find(path);
        if (entry.isEmpty()) {
            return changes.get(path) == Change.DELETED
                    ? Optional.of(new Status(new Entry(path, false), Change.DELETED, ""))
                    : Optional.empty();
        }
        try {
            return Optional.of(
                    new Status(
                            entry.get(),
                            changes.getOrDefault(path, Change.NEW),
                            entry.get().isDirectory() ? "" : md5(path)));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    private String md5(String path) throws IOException {
        MessageDigest digest;
        try {
            digest = MessageDigest.getInstance("MD5");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has MD5", e);
        }
        byte[] buffer = new byte[BUFFER_SIZE];
        try (InputStream in = Files.newInputStream(root.resolve(path))) {
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                digest.update(buffer, 0, count);
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    /** Counts everything in the package. */
    Size size() throws IOException {
        int entries = 0;
        long bytes = 0;
        try (Stream<Path> tree = Files.walk(root)) {
            for (Path path : (Iterable<Path>) tree::iterator) {
                entries++;
                bytes += Files.isDirectory(path) ? 0 : Files.size(path);
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        return new Size(entries - 1, bytes);
    }

    /** Returns the first part of {@code path} that is a file and so cannot hold anything. */
    Optional<String> fileAbove(String path) {
        for (int slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
            String above = path.substring(0, slash);
            if (find(above).filter(entry -> !entry.isDirectory()).isPresent()) {
                return Optional.of(above);
            }
        }
        return Optional.empty();
    }

    /** Returns how many files and directories there would be more with one at {@code path}. */
    int missing(String path) {
        int missing = find(path).isPresent() ? 0 : 1;
        for (int slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
            missing += find(path.substring(0, slash)).isPresent() ? 0 : 1;
        }
        return missing;
    }

    /**
     * Moves {@code file} to {@code path} and replaces an existing file; forces it to disk before it
     * returns.
     */
    void put(String path, Path file) throws IOException {
        Path target = root.resolve(path);
        Change change =
                find(path).isPresent() || changes.get(path) == Change.DELETED
                        ? Change.CHANGED
                        : Change.NEW;
        Path directory = Objects.requireNonNull(target.getParent());
        Files.createDirectories(directory);
        force(file, StandardOpenOption.WRITE);
        Files.move(file, target, StandardCopyOption.ATOMIC_MOVE);
        forceDirectories(directory);
        changes.merge(path, change, (old, next) -> old == Change.NEW ? old : next);
    }

    void putDirectory(String path) throws IOException {
        Path directory = root.resolve(path);
        Files.createDirectories(directory);
        forceDirectories(directory);
    }

    /** Deletes a file or an empty directory. */
    void delete(String path) throws IOException {
        boolean isFile = find(path).filter(entry -> !entry.isDirectory()).isPresent();
        Files.delete(root.resolve(path));
        forceDirectories(Objects.requireNonNull(root.resolve(path).getParent()));
        if (isFile && changes.remove(path) != Change.NEW) {
            changes.put(path, Change.DELETED);
        }
    }

    /** Copies everything into {@code target}, which does not exist; forced when it returns. */
    void copyTo(Path target) throws IOException {
        try (Stream<Path> tree = Files.walk(root)) {
            for (Path path : (Iterable<Path>) tree::iterator) {
                Path copy = target.resolve(root.relativize(path).toString());
                if (Files.isDirectory(path)) {
                    Files.createDirectory(copy);
                } else {
                    Files.copy(path, copy);
                    force(copy, StandardOpenOption.WRITE);
                }
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        try (Stream<Path> tree = Files.walk(target)) {
            for (Path path : (Iterable<Path>) tree.filter(Files::isDirectory)::iterator) {
                force(path, StandardOpenOption.READ);
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /** Forces a directory and those above it in the package, which may be new as well. */
    private void forceDirectories(Path directory) throws IOException {
        for (Path path = directory;
                path != null && path.startsWith(root);
                path = path.getParent()) {
            force(path, StandardOpenOption.READ);
        }
    }

    private static void force(Path path, StandardOpenOption option) throws IOException {
        try (var opened = FileChannel.open(path, option)) {
            opened.force(true);
        }
    }
}
