package org.crabro.server.cluster;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.crabro.config.application.PackageArchive;
import org.crabro.config.application.PackageLimits;
import org.crabro.container.file.DurableFiles;

/**
 * Archives of packages on the disk of a config server. The name of an archive is the SHA-256 of its
 * bytes, so an archive is complete and never changes. Safe for use by many threads.
 */
final class ArchiveFiles {
    /** An archive that is not needed stays that long: the entry that needs it may be under way. */
    static final Duration UNUSED_MAX = Duration.ofMinutes(10);

    /**
     * The most archives that are received at a time from one sender. With more, the one ends that
     * began first: its sender begins again.
     */
    static final int RECEIVED_MAX = 8;

    /** The most complete archives that are not needed. With more, the oldest are deleted. */
    static final int UNUSED_COUNT = 16;

    private static final String PART = ".part";
    private static final LocalDateTime TIME = LocalDateTime.of(2000, 1, 1, 0, 0);
    private static final int BUFFER_BYTES = 64 << 10;

    private final Path directory;
    private final long bytesMax;

    /** The files of archives that are received, by sender, in the order of their begins. */
    private final Map<String, Set<Path>> received = new HashMap<>();

    private ArchiveFiles(Path directory, long bytesMax) {
        this.directory = directory;
        this.bytesMax = bytesMax;
    }

    /**
     * Opens the directory, or creates it.
     *
     * @param bytesMax the most bytes of an archive that another server sends
     */
    static ArchiveFiles open(Path directory, long bytesMax) throws IOException {
        Files.createDirectories(directory);
        return new ArchiveFiles(directory, bytesMax);
    }

    /** Ends with an exception before more bytes are written than a limit. */
    private static final class BoundedOutput extends FilterOutputStream {
        private final long limit;
        private long written;

        BoundedOutput(OutputStream out, long limit) {
            super(out);
            this.limit = limit;
        }

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int count) throws IOException {
            if (written + count > limit) {
                throw new IOException("an archive has more than %d bytes".formatted(limit));
            }
            out.write(bytes, offset, count);
            written += count;
        }
    }

    boolean has(String name) {
        return Files.isRegularFile(path(name));
    }

    Path path(String name) {
        if (!name.matches(ArchivePart.NAME)) {
            throw new IllegalArgumentException("'%s' is no name of an archive".formatted(name));
        }
        return directory.resolve(name);
    }

    /** Something that writes an archive. */
    interface Source {
        void writeTo(OutputStream out) throws IOException;
    }

    /**
     * Makes an archive of a directory, durably. The same files give the same name.
     *
     * @return its name
     */
    String add(Path files) throws IOException {
        Path made = Files.createTempFile(directory, "made", PART);
        try {
            try (var zip = new ZipOutputStream(Files.newOutputStream(made))) {
                for (Path file : sorted(files)) {
                    boolean isDirectory = Files.isDirectory(file);
                    var entry = new ZipEntry(relative(files, file) + (isDirectory ? "/" : ""));
                    entry.setTimeLocal(TIME);
                    zip.putNextEntry(entry);
                    if (!isDirectory) {
                        Files.copy(file, zip);
                    }
                    zip.closeEntry();
                }
            }
            String name = digest(made);
            keep(made, name);
            return name;
        } finally {
            Files.deleteIfExists(made);
        }
    }

    private static List<Path> sorted(Path files) throws IOException {
        try (Stream<Path> paths = Files.walk(files)) {
            return paths.filter(each -> !each.equals(files)).sorted().toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static String relative(Path root, Path file) {
        return StreamSupport.stream(root.relativize(file).spliterator(), false)
                .map(Path::toString)
                .collect(Collectors.joining("/"));
    }

    /**
     * Writes an archive that comes from another config server.
     *
     * @throws IOException if its bytes are not those of the name, or too many
     */
    void receive(String name, Source source) throws IOException {
        Path made = Files.createTempFile(directory, "made", PART);
        try {
            try (var out = new BoundedOutput(Files.newOutputStream(made), bytesMax)) {
                source.writeTo(out);
            }
            check(made, name);
            keep(made, name);
        } finally {
            Files.deleteIfExists(made);
        }
    }

    /**
     * Writes a part. Each part begins where the one before ended. A part that begins at byte 0
     * starts the archive again. Parts of other senders do not count, so none disturbs another.
     *
     * @param sender who sends the archive
     * @return whether the archive is complete, and durable
     * @throws IllegalArgumentException if the archive would be too long. Nothing is written then
     * @throws IOException if the part begins elsewhere, or the complete bytes are not those of the
     *     name, or too many archives are being received
     */
    boolean write(String sender, ArchivePart part) throws IOException {
        if (part.length() > bytesMax) {
            throw new IllegalArgumentException(
                    "an archive of %d bytes, of at most %d".formatted(part.length(), bytesMax));
        }
        Path made;
        synchronized (this) {
            if (has(part.name())) {
                Files.setLastModifiedTime(path(part.name()), FileTime.from(Instant.now()));
                return true;
            }
            if (part.length() == 0 || !part.bytes().hasRemaining()) {
                return false;
            }
            made = append(sender, part);
            if (part.offset() + part.bytes().remaining() < part.length()) {
                return false;
            }
            // Only this thread checks these bytes.
            received(sender).remove(made);
            made =
                    Files.move(
                            made,
                            Files.createTempFile(directory, "made", PART),
                            StandardCopyOption.REPLACE_EXISTING);
        }
        // Hashing takes seconds; other archives go on meanwhile.
        try {
            check(made, part.name());
            keep(made, part.name());
        } finally {
            Files.deleteIfExists(made);
        }
        return true;
    }

    /** A complete archive that is not needed. */
    private record Unused(Path file, FileTime time) {}

    private Set<Path> received(String sender) {
        return received.computeIfAbsent(sender, _ -> new LinkedHashSet<>());
    }

    private Path append(String sender, ArchivePart part) throws IOException {
        UUID place = UUID.nameUUIDFromBytes(sender.getBytes(StandardCharsets.UTF_8));
        Path made = directory.resolve(part.name() + "-" + place + PART);
        Set<Path> ofSender = received(sender);
        if (part.offset() == 0) {
            ofSender.remove(made);
            if (ofSender.size() >= RECEIVED_MAX) {
                Path longest = ofSender.iterator().next();
                ofSender.remove(longest);
                Files.deleteIfExists(longest);
            }
            Files.deleteIfExists(made);
        }
        long expected = Files.exists(made) ? Files.size(made) : 0;
        if (expected != part.offset()) {
            throw new IOException(
                    "a part of archive %s begins at byte %d, expected %d"
                            .formatted(part.name(), part.offset(), expected));
        }
        long end = part.offset();
        try (var out =
                FileChannel.open(made, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            var bytes = part.bytes().duplicate();
            while (bytes.hasRemaining()) {
                end += out.write(bytes, end);
            }
        }
        ofSender.add(made);
        return made;
    }

    private static void check(Path file, String name) throws IOException {
        String actual = digest(file);
        if (!actual.equals(name)) {
            throw new IOException("an archive has SHA-256 %s, expected %s".formatted(actual, name));
        }
    }

    private void keep(Path made, String name) throws IOException {
        try (var file = FileChannel.open(made, StandardOpenOption.WRITE)) {
            file.force(true);
        }
        Files.move(
                made,
                path(name),
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
        DurableFiles.forceNames(directory);
    }

    private static String digest(Path file) throws IOException {
        MessageDigest digest;
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
        byte[] buffer = new byte[BUFFER_BYTES];
        try (InputStream in = Files.newInputStream(file)) {
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                digest.update(buffer, 0, count);
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    /** Unpacks an archive into a directory that does not exist. */
    void unpack(String name, Path target, PackageLimits limits) throws IOException {
        Files.createDirectories(target);
        PackageArchive.unpack(path(name), PackageArchive.Format.ZIP, target, limits);
    }

    /**
     * Deletes what is not needed and older than {@link #UNUSED_MAX}, and all but the newest {@value
     * #UNUSED_COUNT} complete archives that are not needed.
     *
     * @param needed the names of archives
     */
    void deleteUnused(Set<String> needed, Instant now) throws IOException {
        List<Unused> unused = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            for (Path file : files) {
                String name = file.getFileName().toString();
                FileTime time = Files.getLastModifiedTime(file);
                if (needed.contains(name)) {
                    continue;
                }
                if (time.toInstant().plus(UNUSED_MAX).isBefore(now)) {
                    Files.deleteIfExists(file);
                } else if (name.matches(ArchivePart.NAME)) {
                    unused.add(new Unused(file, time));
                }
            }
        }
        unused.sort(Comparator.comparing(Unused::time).reversed());
        for (Unused each : unused.subList(Math.min(UNUSED_COUNT, unused.size()), unused.size())) {
            Files.deleteIfExists(each.file());
        }
    }
}
