package org.crabro.config.application;

import java.util.List;
import java.util.Map;

/** Defines which files belong to which directories of a package. */
public final class PackageLayout {
    private static final List<String> XML = List.of(".xml");
    private static final List<String> SCHEMAS = List.of(".sd", ".expression", ".profile");

    /** The file extensions that are read, by directory; they do not apply to subdirectories. */
    private static final Map<String, List<String>> READ =
            Map.ofEntries(
                    Map.entry("components", List.of(".jar")),
                    Map.entry("constants", List.of(".json", ".json.lz4")),
                    Map.entry("search/chains", XML),
                    Map.entry("docproc/chains", XML),
                    Map.entry("processor/chains", XML),
                    Map.entry("routing/tables", XML),
                    Map.entry("page-templates", XML),
                    Map.entry("search/query-profiles", XML),
                    Map.entry("search/query-profiles/types", XML),
                    Map.entry("rules", List.of(".sr")),
                    Map.entry("schemas", SCHEMAS),
                    Map.entry("searchdefinitions", SCHEMAS),
                    Map.entry("security", List.of(".pem")));

    private static final List<String> INTERNAL = List.of("models.generated/", ".preprocessed/");

    private PackageLayout() {}

    /**
     * Warns of every file that its directory does not read. Other files can name it by its path.
     */
    public static void check(ApplicationFiles files, Findings findings) {
        for (String path : files.paths()) {
            if (INTERNAL.stream().anyMatch(path::startsWith)) {
                findings.problem(path + ": this directory is not for packages; remove it");
                continue;
            }
            int slash = path.lastIndexOf('/');
            String directory = slash < 0 ? "" : path.substring(0, slash);
            if (path.substring(slash + 1).equals(".gitignore")) {
                continue;
            }
            List<String> read =
                    directory.startsWith("schemas/")
                            ? List.of(".profile")
                            : READ.getOrDefault(directory, List.of());
            if (!read.isEmpty() && read.stream().noneMatch(path::endsWith)) {
                findings.warn(
                        "%s: left out: of directory %s, files that end in %s are read; other files can name its path"
                                .formatted(path, directory, String.join(", ", read)));
            }
        }
        if (files.paths().stream().anyMatch(path -> path.startsWith("searchdefinitions/"))) {
            findings.warn("searchdefinitions/: this is the old name; move the files to schemas/");
        }
    }
}
