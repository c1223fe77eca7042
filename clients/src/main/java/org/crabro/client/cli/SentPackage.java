package org.crabro.client.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.crabro.client.deploy.ApplicationZip;
import org.crabro.client.deploy.PackageDirectory;
import org.crabro.client.file.FilesBelow;

/** An application package on disk, as the config server takes it. */
final class SentPackage {
    private final byte[] archive;
    private final String contentType;

    private SentPackage(byte[] archive, String contentType) {
        this.archive = archive;
        this.contentType = contentType;
    }

    byte[] archive() {
        return archive;
    }

    String contentType() {
        return contentType;
    }

    private static final String ZIP = "application/zip";
    private static final String TAR_GZIP = "application/x-gzip";

    /**
     * Reads a package.
     *
     * @param given a directory with services.xml, one with src/main/application or
     *     target/application in it, or a .zip or .tgz file
     * @param links of a directory that are followed
     * @throws IOException if it is none of these
     */
    static SentPackage read(Path given, FilesBelow.Links links) throws IOException {
        if (Files.isRegularFile(given)) {
            String name = given.toString().toLowerCase(Locale.ROOT);
            if (name.endsWith(".zip")) {
                return new SentPackage(Files.readAllBytes(given), ZIP);
            }
            if (name.endsWith(".tgz") || name.endsWith(".tar.gz")) {
                return new SentPackage(Files.readAllBytes(given), TAR_GZIP);
            }
            throw new IOException(
                    given
                            + " is no package: expected a directory, or a .zip, .tgz or .tar.gz file");
        }
        return new SentPackage(ApplicationZip.of(PackageDirectory.find(given), links), ZIP);
    }
}
