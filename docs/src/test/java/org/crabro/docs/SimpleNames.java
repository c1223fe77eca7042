package org.crabro.docs;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Whether each top-level type has a simple name that no other one has, in all modules. */
final class SimpleNames {
    private SimpleNames() {}

    /** Returns a line for each simple name that two files of the product have, with their paths. */
    static List<String> findings(SourceTree tree) {
        Map<String, List<String>> paths = new TreeMap<>();
        for (JavaSource source : JavaSource.all(tree)) {
            if (source.isMain() && !source.isPackageInfo()) {
                String file = source.path().substring(source.path().lastIndexOf('/') + 1);
                paths.computeIfAbsent(file, _ -> new ArrayList<>()).add(source.path());
            }
        }
        return paths.entrySet().stream()
                .filter(entry -> entry.getValue().size() > 1)
                .map(entry ->
                        "%s is the name of %d files: %s"
                                .formatted(
                                        entry.getKey(),
                                        entry.getValue().size(),
                                        String.join(", ", entry.getValue())))
                .toList();
    }
}
