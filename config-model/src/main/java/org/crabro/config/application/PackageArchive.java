package org.crabro.config.application;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Enumeration;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Unpacks archives of application packages into a directory.
 *
 * <p>Writes nothing outside the directory and no more than the limits allow; the sizes in the
 * archive are not trusted. Files are forced to disk, so that an active package is complete after a
 * crash.
 */
public final class PackageArchive {
    private static final int BUFFER_SIZE = 64 << 10;

    private final Path into;
    private final PackageLimits limits;
    private final long archiveSize;

    /** The paths of those that were created. */
    private final Set<String> directories = new HashSet<>();

    private long entries;
    private int files;
    private long bytes;

    /** How a package is packed. */
    public enum Format {
        ZIP,
        /** A tar archive, compressed with gzip. */
        TAR_GZIP
    }

    private PackageArchive(Path into, PackageLimits limits, long archiveSize) {
        this.into = into;
        this.limits = limits;
        this.archiveSize = archiveSize;
    }

    /**
     * Unpacks {@code archive} into {@code into}, which exists and is empty.
     *
     * @throws InvalidPackageException if the archive is broken, too large, or contains files that
     *     do not belong in a package; parts may have been written
     * @throws IOException if the files cannot be written
     */
    public static void unpack(Path archive, Format format, Path into, PackageLimits limits)
            throws IOException {
        var unpacking = new PackageArchive(into, limits, Files.size(archive));
        switch (format) {
            case ZIP -> unpacking.zip(archive);
            case TAR_GZIP -> unpacking.tar(archive);
        }
        unpacking.forceDirectories();
    }

    private void zip(Path archive) throws IOException {
        ZipDirectory.check(archive, entriesMax());
        try (var zip = open(archive)) {
            Enumeration<? extends ZipEntry> entries = zip.entries();
            while (entries.hasMoreElements()) {
                ZipEntry entry = entries.nextElement();
                if (entry.isDirectory()) {
                    directory(entry.getName());
                } else {
                    try (InputStream content = zip.getInputStream(entry)) {
                        file(entry.getName(), content);
                    }
                }
            }
        } catch (ZipException e) {
            throw new InvalidPackageException("the zip archive is broken: " + e.getMessage(), e);
        }
    }

    /**
     * Opens an archive. One that ends too early, or refers to an offset after its end, is broken,
     * too.
     */
    private static ZipFile open(Path archive) throws IOException {
        try {
            return new ZipFile(archive.toFile());
        } catch (EOFException | IllegalArgumentException e) {
            throw new InvalidPackageException("the zip archive is broken: it is cut off", e);
        }
    }

    private void tar(Path archive) throws IOException {
        try (var content = new BufferedInputStream(Files.newInputStream(archive));
                var headers = new TarHeaderLimit(gunzip(content));
                var tar = new TarArchiveInputStream(headers)) {
            for (TarArchiveEntry entry = next(tar, headers);
                    entry != null;
                    entry = next(tar, headers)) {
                if (entry.isDirectory()) {
                    directory(entry.getName());
                } else if (entry.isFile() && !entry.isLink() && !entry.isSymbolicLink()) {
                    file(entry.getName(), tar);
                } else {
                    throw new InvalidPackageException(
                            entry.getName() + ": neither a file nor a directory");
                }
            }
        }
    }

    private static InputStream gunzip(InputStream content) {
        try {
            return new GZIPInputStream(content);
        } catch (IOException e) {
            throw new InvalidPackageException("the gzip stream is broken: " + e.getMessage(), e);
        }
    }

    private static @Nullable TarArchiveEntry next(TarArchiveInputStream tar, TarHeaderLimit headers)
            throws IOException {
        headers.beginHeaders();
        try {
            return tar.getNextEntry();
        } catch (IOException | IllegalArgumentException e) {
            throw new InvalidPackageException("the tar archive is broken: " + e.getMessage(), e);
        } finally {
            headers.endHeaders();
        }
    }

    private void directory(String name) throws IOException {
        countEntry();
        String path = PackagePath.normalized(name);
        if (!path.isEmpty()) {
            createWithParents(path, path);
        }
    }

    private long entriesMax() {
        return 2L * limits.files();
    }

    /** Counts an entry, also one of a directory that exists already. */
    private void countEntry() {
        if (++entries > entriesMax()) {
            throw new InvalidPackageException(
                    "the archive has more than %,d files and directories".formatted(entriesMax()));
        }
    }

    private void file(String name, InputStream content) throws IOException {
        countEntry();
        String path = PackagePath.normalized(name);
        if (path.isEmpty()) {
            throw new InvalidPackageException("'" + name + "' is no name of a file");
        }
        if (++files > limits.files()) {
            throw new InvalidPackageException(
                    "the package holds more than %,d files".formatted(limits.files()));
        }
        Path target = resolve(path);
        createWithParents(path, path.substring(0, Math.max(0, path.lastIndexOf('/'))));
        try (var out =
                FileChannel.open(target, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            copy(path, content, out);
            out.force(true);
        } catch (FileAlreadyExistsException e) {
            throw new InvalidPackageException(path + ": the archive holds this name twice", e);
        }
    }

    private Path resolve(String path) {
        try {
            return into.resolve(path);
        } catch (InvalidPathException e) {
            throw new InvalidPackageException(
                    "'" + path + "' is no name that this machine's files can have", e);
        }
    }

    /**
     * Creates a directory and those above it, and counts the new ones.
     *
     * @param path the entry that needs them
     * @param directory its path, without needless parts; may be empty
     */
    private void createWithParents(String path, String directory) throws IOException {
        for (int end = directory.indexOf('/'); end >= 0; end = directory.indexOf('/', end + 1)) {
            createOne(path, directory.substring(0, end));
        }
        if (!directory.isEmpty()) {
            createOne(path, directory);
        }
    }

    private void createOne(String path, String directory) throws IOException {
        if (directories.contains(directory)) {
            return;
        }
        if (directories.size() >= limits.files()) {
            throw new InvalidPackageException(
                    "the package holds more than %,d directories".formatted(limits.files()));
        }
        create(path, resolve(directory));
        directories.add(directory);
    }

    private static void create(String path, @Nullable Path directory) throws IOException {
        try {
            Files.createDirectories(Objects.requireNonNull(directory));
        } catch (FileSystemException e) {
            // If a parent directory is a file, the error depends on the file system and the depth.
            for (Path each = directory; each != null; each = each.getParent()) {
                if (Files.isRegularFile(each)) {
                    throw new InvalidPackageException(
                            path + ": the archive has a file and a directory of one name", e);
                }
            }
            throw e;
        }
    }

    private void copy(String path, InputStream content, FileChannel out) throws IOException {
        byte[] buffer = new byte[BUFFER_SIZE];
        for (int count = read(path, content, buffer);
                count >= 0;
                count = read(path, content, buffer)) {
            bytes += count;
            checkSize();
            var chunk = ByteBuffer.wrap(buffer, 0, count);
            while (chunk.hasRemaining()) {
                out.write(chunk);
            }
        }
    }

    /** An error while bytes are decompressed is a defect of the archive, not of the disk. */
    private static int read(String path, InputStream content, byte[] buffer) {
        try {
            return content.read(buffer);
        } catch (IOException e) {
            throw new InvalidPackageException(
                    path + ": the archive is broken here: " + e.getMessage(), e);
        }
    }

    private void checkSize() {
        if (bytes > limits.bytes()) {
            throw new InvalidPackageException(
                    "the package unpacks to more than %,d bytes".formatted(limits.bytes()));
        }
        if (bytes > PackageLimits.RATIO_FLOOR && bytes / limits.ratio() > archiveSize) {
            throw new InvalidPackageException(
                    "the package unpacks to more than %d times its size".formatted(limits.ratio()));
        }
    }

    private void forceDirectories() throws IOException {
        try (var tree = Files.walk(into)) {
            for (Path path : tree.filter(Files::isDirectory).toList()) {
                try (var directory = FileChannel.open(path, StandardOpenOption.READ)) {
                    directory.force(true);
                }
            }
        }
    }
}
