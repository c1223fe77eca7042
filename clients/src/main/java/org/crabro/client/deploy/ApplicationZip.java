package org.crabro.client.deploy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.crabro.client.file.FilesBelow;

/** An application package as the config server takes it. */
public final class ApplicationZip {
    private ApplicationZip() {}

    /**
     * Returns the files below {@code directory}, which may be a symbolic link, as a zip.
     *
     * @throws IOException if a link leads out of the directory, because the package would contain a
     *     file from another place
     */
    public static byte[] of(Path directory) throws IOException {
        return of(directory, FilesBelow.Links.INSIDE);
    }

    /** Does the same with other links. */
    public static byte[] of(Path directory, FilesBelow.Links links) throws IOException {
        Path root = directory.toRealPath();
        FilesBelow paths = FilesBelow.in(root, links);
        if (!paths.leaving().isEmpty()) {
            throw new IOException(
                    "%s is a link that leads out of the package; put the file into the package, or deploy with --follow-links"
                            .formatted(root.relativize(paths.leaving().getFirst())));
        }
        List<Path> files = paths.files();
        var bytes = new ByteArrayOutputStream();
        try (var zip = new ZipOutputStream(bytes)) {
            for (Path file : files) {
                String name = root.relativize(file).toString().replace('\\', '/');
                zip.putNextEntry(new ZipEntry(name));
                Files.copy(file, zip);
                zip.closeEntry();
            }
        }
        return bytes.toByteArray();
    }
}
