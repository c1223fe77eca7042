package org.crabro.docs;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Whether every package is in its module, has at most 60 files, and says in a {@code package-info}
 * what it is for.
 */
final class Rooms {
    /** Files in a package of one source folder; a larger package has parts with names. */
    private static final int FILES_MAX = 60;

    /** Benchmarks are left out: they lie in the package of what they measure. */
    private static final Map<String, List<String>> ROOMS =
            Map.ofEntries(
                    Map.entry(
                            "document-api",
                            List.of(
                                    "org.crabro.component",
                                    "org.crabro.document",
                                    "org.crabro.tensor",
                                    "org.crabro.text")),
                    Map.entry("ranking", List.of("org.crabro.ranking")),
                    Map.entry("config-model", List.of("org.crabro.config")),
                    Map.entry("protocol", List.of("org.crabro.protocol")),
                    Map.entry("content/storage", List.of("org.crabro.content.storage")),
                    Map.entry("content/search", List.of("org.crabro.content.search")),
                    Map.entry("content/replication", List.of("org.crabro.content.replication")),
                    Map.entry("content/node", List.of("org.crabro.content.node")),
                    Map.entry("container", List.of("org.crabro.container")),
                    Map.entry("clients", List.of("org.crabro.client")),
                    Map.entry("server", List.of("org.crabro.server")),
                    Map.entry("samples", List.of("org.crabro.samples")),
                    Map.entry("docs", List.of("org.crabro.docs")));

    private Rooms() {}

    static List<String> findings(SourceTree tree) {
        List<JavaSource> sources = JavaSource.all(tree);
        var findings = new TreeSet<String>();
        var infos = new TreeMap<String, JavaSource>();
        var files = new TreeMap<String, Integer>();
        for (JavaSource source : sources) {
            if (!isInItsRoom(source)) {
                findings.add(
                        "%s: the module %s holds only %s"
                                .formatted(
                                        source.path(),
                                        source.module(),
                                        ROOMS.get(source.module())));
            }
            files.merge(folder(source), 1, Integer::sum);
            if (source.isPackageInfo()) {
                infos.put(source.packageName(), source);
                findings.addAll(problemsOfInfo(source));
            }
        }
        for (JavaSource source : sources) {
            if (!infos.containsKey(source.packageName())) {
                findings.add(folder(source) + ": package-info.java is missing");
            }
        }
        files.forEach((folder, count) -> {
            if (count > FILES_MAX) {
                findings.add("%s: %d files, at most %d".formatted(folder, count, FILES_MAX));
            }
        });
        return List.copyOf(findings);
    }

    private static String folder(JavaSource source) {
        return source.path().substring(0, source.path().lastIndexOf('/'));
    }

    private static boolean isInItsRoom(JavaSource source) {
        List<String> rooms = ROOMS.get(source.module());
        if (rooms == null) {
            return source.packageName().startsWith("org.crabro.");
        }
        String name = source.packageName() + ".";
        return rooms.stream().anyMatch(room -> name.startsWith(room + "."));
    }

    private static List<String> problemsOfInfo(JavaSource info) {
        var problems = new TreeSet<String>();
        if (!info.text().contains("@NullMarked")) {
            problems.add(info.path() + ": @NullMarked is missing");
        }
        if (!info.text().startsWith("/**")) {
            problems.add(info.path() + ": does not begin with a comment on what the package is");
        }
        return List.copyOf(problems);
    }
}
