package org.crabro.container.admin;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import org.crabro.config.application.ApplicationName;
import org.crabro.config.application.DirectoryFiles;
import org.crabro.config.application.RemoteFiles;
import org.crabro.config.deploy.ApplicationCompiler;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.config.deploy.InvalidApplicationException;

/**
 * The active package of a directory of packages that a config server has filled.
 *
 * @param files the directory of its files
 */
public record ActiveFiles(long generation, ApplicationName name, Path files) {
    /**
     * Returns the active package; empty if none is.
     *
     * @param packages the directory of packages
     * @throws IOException if it cannot be read
     */
    public static Optional<ActiveFiles> active(Path packages) throws IOException {
        PackageStore store = PackageStore.open(packages);
        OptionalLong generation = store.active();
        return generation.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new ActiveFiles(
                                generation.getAsLong(),
                                store.name(),
                                store.files(generation.getAsLong())));
    }

    /**
     * Compiles the package.
     *
     * @param remote fetches the files that it names by URI
     * @throws IOException if its files cannot be read
     * @throws InvalidApplicationException if it is not valid
     */
    public ApplicationModel compile(RemoteFiles remote) throws IOException {
        return ApplicationCompiler.compile(DirectoryFiles.of(files), generation, name, remote)
                .model();
    }
}
