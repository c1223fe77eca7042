package org.crabro.client.deploy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A directory with an application package, documents to feed and queries to try.
 *
 * @param name of the directory
 * @param application the directory of its application package
 * @param feed the documents, JSON Lines compressed with gzip
 * @param queries a JSON array of objects with {@code title} and {@code parameters}
 */
public record SampleDirectory(String name, Path application, Path feed, Path queries) {
    private static final String DEFAULT = "commits";
    private static final String FEED = "feed.jsonl.gz";
    private static final String QUERIES = "queries.json";

    /**
     * Returns the sample in a directory. Its package is in {@code target/application}, where a
     * build adds the model to it, or in {@code application} of a distribution.
     *
     * @param directory of the sample, or null for the default one
     * @param samples the directory with the samples of Crabro, or null if the launcher names none
     * @throws IOException if a part is missing
     */
    public static SampleDirectory of(@Nullable Path directory, @Nullable String samples)
            throws IOException {
        Path root = directory;
        if (root == null && samples != null) {
            root = Path.of(samples, DEFAULT);
        }
        if (root == null) {
            throw new IOException(
                    "no sample: start Crabro with its launcher, bin/crabro, or name a directory with --sample");
        }
        Path application = PackageDirectory.find(root);
        for (String file : List.of(FEED, QUERIES)) {
            if (!Files.isRegularFile(root.resolve(file))) {
                throw new IOException("no sample in %s: there is no %s".formatted(root, file));
            }
        }
        return new SampleDirectory(
                root.toAbsolutePath().normalize().getFileName().toString(),
                application,
                root.resolve(FEED),
                root.resolve(QUERIES));
    }
}
