package org.crabro.config.application;

import java.nio.file.Path;
import java.util.Optional;
import java.util.SortedSet;

/** The files of a package, read-only. Paths are relative to its root, parts joined by slashes. */
public interface ApplicationFiles {
    /** Returns the paths of all files. */
    SortedSet<String> paths();

    /** Returns whether the package has a directory at {@code path}, which may be empty. */
    default boolean hasDirectory(String path) {
        return paths().stream().anyMatch(each -> each.startsWith(path + "/"));
    }

    /** Returns the text of the file at {@code path}, read as UTF-8. */
    Optional<String> text(String path);

    /**
     * Returns the path of the file on disk, for files that are not read as text, such as models.
     */
    Optional<Path> location(String path);

    /**
     * Returns the file at a URI that the package names, after it was fetched.
     *
     * @throws RemoteFileException if it is no URI, or is not fetched
     */
    default Path fetched(String uri) throws RemoteFileException {
        throw new RemoteFileException("files at a URI are not fetched here");
    }
}
