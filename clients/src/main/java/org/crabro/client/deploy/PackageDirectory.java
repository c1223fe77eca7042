package org.crabro.client.deploy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Finds an application package below the directory that a user names. */
public final class PackageDirectory {
    private PackageDirectory() {}

    /**
     * Returns the directory of the package. A built package has precedence over its sources.
     *
     * @param given the package, or the directory of a Maven project or of a sample with one
     * @throws IOException if there is none; the message names where it was looked for
     */
    public static Path find(Path given) throws IOException {
        List<Path> places =
                List.of(
                        given.resolve("target/application"),
                        given.resolve("src/main/application"),
                        given.resolve("application"),
                        given);
        for (Path place : places) {
            if (Files.isRegularFile(place.resolve("services.xml"))) {
                return place;
            }
        }
        throw new IOException(
                "no package found: there is no services.xml in "
                        + String.join(" or ", places.stream().map(Path::toString).toList()));
    }
}
