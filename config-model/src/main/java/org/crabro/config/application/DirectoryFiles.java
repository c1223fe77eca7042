package org.crabro.config.application;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;

/** The files of a package that is unpacked in a directory. */
public final class DirectoryFiles implements ApplicationFiles {
    /** Larger files are models and the like, never something to read as text. */
    static final int TEXT_SIZE_MAX = 16 << 20;

    /**
     * The maximum number of bytes that are read as text of all files, in one reading or several.
     */
    static final long TEXTS_SIZE_MAX = 256L << 20;

    /** Some editors write it at the start of UTF-8 files, where it has no meaning. */
    private static final String BYTE_ORDER_MARK = "\uFEFF";

    private final Path root;
    private final SortedSet<String> paths;

    /** The bytes that were read as text so far. */
    private final AtomicLong textsSize = new AtomicLong();

    private DirectoryFiles(Path root, SortedSet<String> paths) {
        this.root = root;
        this.paths = Collections.unmodifiableSortedSet(paths);
    }

    /**
     * Returns the files below {@code root} as they are now. Links are not followed.
     *
     * @throws IOException if the directory cannot be read
     */
    public static DirectoryFiles of(Path root) throws IOException {
        var paths = new TreeSet<String>();
        try (var tree = Files.walk(root)) {
            tree.filter(path -> Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS))
                    .forEach(path -> paths.add(name(root.relativize(path))));
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        return new DirectoryFiles(root, paths);
    }

    /**
     * Returns the files below {@code root} that a client would send: without those that {@code
     * .vespaignore} leaves out.
     *
     * @throws IOException if the directory cannot be read
     * @throws InvalidPackageException if {@code .vespaignore} cannot be understood
     */
    public static DirectoryFiles sentOf(Path root) throws IOException {
        DirectoryFiles all = of(root);
        IgnoredPaths ignored = IgnoredPaths.parse(all.text(IgnoredPaths.PATH).orElse(""));
        var paths = new TreeSet<>(all.paths);
        paths.removeIf(ignored::contains);
        if (paths.size() > PackageLimits.DEFAULT.files()) {
            throw new InvalidPackageException(
                    "the package holds more than %,d files"
                            .formatted(PackageLimits.DEFAULT.files()));
        }
        return new DirectoryFiles(root, paths);
    }

    private static String name(Path relative) {
        var name = new StringBuilder();
        for (Path part : relative) {
            name.append(name.isEmpty() ? "" : "/").append(part);
        }
        return name.toString();
    }

    @Override
    public boolean hasDirectory(String path) {
        Path directory = root.resolve(path).normalize();
        return directory.startsWith(root.normalize())
                && Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS);
    }

    @Override
    public SortedSet<String> paths() {
        return paths;
    }

    /**
     * {@inheritDoc}
     *
     * @throws InvalidPackageException if the file is no UTF-8 or larger than a text may be
     */
    @Override
    public Optional<String> text(String path) {
        Optional<Path> location = location(path);
        if (location.isEmpty()) {
            return Optional.empty();
        }
        try {
            long size = Files.size(location.get());
            if (size > TEXT_SIZE_MAX) {
                throw new InvalidPackageException(
                        "%s: larger than the %,d bytes that are read as text"
                                .formatted(path, TEXT_SIZE_MAX));
            }
            if (textsSize.addAndGet(size) > TEXTS_SIZE_MAX) {
                throw new InvalidPackageException(
                        "%s: with this file, more than %,d bytes are read as text"
                                .formatted(path, TEXTS_SIZE_MAX));
            }
            String text = Files.readString(location.get());
            return Optional.of(text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text);
        } catch (CharacterCodingException e) {
            throw new InvalidPackageException(path + ": expected text in UTF-8", e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Optional<Path> location(String path) {
        return paths.contains(path) ? Optional.of(root.resolve(path)) : Optional.empty();
    }
}
