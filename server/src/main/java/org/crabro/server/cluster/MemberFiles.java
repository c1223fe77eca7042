package org.crabro.server.cluster;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.crabro.config.application.PackageArchive;
import org.crabro.config.application.PackageLimits;
import org.crabro.container.admin.ActiveFiles;
import org.crabro.container.file.DurableFiles;

/**
 * The decisions of a config server on the disk of another server.
 *
 * <pre>
 *   decisions.json   the last reply
 *   packages/        the active package, in the form of the directory of a config server
 * </pre>
 */
final class MemberFiles {
    private final Path directory;
    private volatile ConfigReply latest;

    private MemberFiles(Path directory, ConfigReply latest) {
        this.directory = directory;
        this.latest = latest;
    }

    /**
     * Opens the directory, or creates it.
     *
     * @param formats the versions of formats that this server has
     * @throws IOException if the decisions cannot be read, or the cluster uses another version of
     *     formats. Then nothing has changed
     */
    static MemberFiles open(Path directory, FormatVersions formats) throws IOException {
        var file = new JsonValueFile(directory.resolve("decisions.json"));
        ConfigReply latest = file.read(ConfigReply.class).orElse(ConfigReply.NONE);
        if (latest.format() != 0 && !formats.has(latest.format())) {
            throw new IOException(
                    "'%s': the cluster uses version %d of its formats, but this server has %s; start another release"
                            .formatted(directory, latest.format(), formats));
        }
        Files.createDirectories(directory);
        return new MemberFiles(directory, latest);
    }

    /** Returns the last decisions; without cluster id and states before the first. */
    ConfigReply latest() {
        return latest;
    }

    /** Returns the directory of packages. */
    Path packages() {
        return directory.resolve("packages");
    }

    /** Keeps decisions about the same package. */
    void keep(ConfigReply reply) throws IOException {
        new JsonValueFile(directory.resolve("decisions.json")).write(reply);
        latest = reply;
    }

    /** Returns the generation of the package on disk; 0 without one. */
    long generation() throws IOException {
        return generation(packages());
    }

    private static long generation(Path packages) throws IOException {
        return ActiveFiles.active(packages).map(ActiveFiles::generation).orElse(0L);
    }

    /**
     * Fetches the package of {@code reply}, and keeps both.
     *
     * @return false if the config server has the files of another generation: it decides about a
     *     generation before it names its files active. Then nothing has changed
     */
    boolean fetch(ConfigReply reply, ConfigAccess server) throws IOException {
        Path archive = directory.resolve("package.zip");
        Path next = directory.resolve("packages.new");
        try (OutputStream out = Files.newOutputStream(archive)) {
            server.copyPackage(out);
        }
        DurableFiles.deleteTree(next);
        Files.createDirectory(next);
        PackageArchive.unpack(archive, PackageArchive.Format.ZIP, next, PackageLimits.DEFAULT);
        Files.delete(archive);
        if (generation(next) != reply.generation()) {
            return false;
        }
        DurableFiles.deleteTree(packages());
        Files.move(next, packages(), StandardCopyOption.ATOMIC_MOVE);
        DurableFiles.forceNames(directory);
        keep(reply);
        return true;
    }
}
