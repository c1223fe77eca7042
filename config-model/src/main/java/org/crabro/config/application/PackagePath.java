package org.crabro.config.application;

import java.nio.charset.StandardCharsets;

/**
 * Names of files in packages, as archives and clients write them: relative, parts joined by
 * slashes.
 */
public final class PackagePath {
    /** The limit of file systems for one part of a path, in bytes. */
    private static final int NAME_SIZE_MAX = 255;

    private static final int PATH_SIZE_MAX = 2_000;

    /** The number of characters of a too long name that are shown in messages. */
    private static final int SHOWN = 40;

    private PackagePath() {}

    /**
     * Returns {@code name} without needless parts; empty for the package itself.
     *
     * @throws InvalidPackageException if it leaves the package, or is no name that a file can have
     */
    public static String normalized(String name) {
        if (name.length() > PATH_SIZE_MAX
                || name.getBytes(StandardCharsets.UTF_8).length > PATH_SIZE_MAX) {
            throw new InvalidPackageException(
                    "a file's path is longer than %d bytes: %s..."
                            .formatted(PATH_SIZE_MAX, name.substring(0, SHOWN)));
        }
        if (name.startsWith("/") || name.indexOf('\\') >= 0 || name.matches("[A-Za-z]:.*")) {
            throw new InvalidPackageException(
                    "'"
                            + name
                            + "' is not relative to the package: expected a path such as"
                            + " schemas/music.sd");
        }
        if (name.indexOf('\0') >= 0) {
            throw new InvalidPackageException("a file's name holds a zero byte");
        }
        var path = new StringBuilder();
        for (String part : name.split("/", -1)) {
            if (part.getBytes(StandardCharsets.UTF_8).length > NAME_SIZE_MAX) {
                throw new InvalidPackageException(
                        "a file's name is longer than %d bytes: %s..."
                                .formatted(NAME_SIZE_MAX, part.substring(0, SHOWN)));
            }
            if (part.equals("..")) {
                throw new InvalidPackageException("'" + name + "' leaves the package");
            }
            if (!part.isEmpty() && !part.equals(".")) {
                path.append(path.isEmpty() ? "" : "/").append(part);
            }
        }
        return path.toString();
    }
}
