package org.crabro.perf.packages;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Random;

/**
 * Packages made to compile slowly: in each, one file of up to 100 KB is deep, doubles, has
 * reference cycles, or has thousands of errors.
 */
final class HardPackages {
    private HardPackages() {}

    /**
     * Returns the packages by a description of their difficulty, each a map of paths to texts.
     *
     * @param seed of the packages of random text
     */
    static Map<String, Map<String, String>> all(long seed) {
        var made = new MadePackages();
        HardSchemas.addTo(made);
        HardScripts.addTo(made);
        HardExpressions.addTo(made);
        HardProfiles.addTo(made);
        HardServices.addTo(made);
        HardQueryProfiles.addTo(made);
        WordSoups.addTo(made, new Random(seed));
        return made.all();
    }

    /** Writes a package into {@code folder}. */
    static void write(Map<String, String> files, Path folder) throws IOException {
        for (Map.Entry<String, String> file : files.entrySet()) {
            Path path = folder.resolve(file.getKey());
            Files.createDirectories(Objects.requireNonNull(path.getParent()));
            Files.writeString(path, file.getValue());
        }
    }
}
