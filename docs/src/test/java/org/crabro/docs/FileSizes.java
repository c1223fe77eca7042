package org.crabro.docs;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.TreeMap;

/**
 * How long files are. Classes of more than {@value #LONG} lines are in a list with a limit, a
 * multiple of {@value #STEP}. Limits fall and do not rise.
 */
final class FileSizes {
    private static final int LONG = 500;
    private static final int STEP = 100;

    /** A limit is lowered if a class has this many lines fewer: a few lines do not change it. */
    private static final int ROOM = 150;

    private FileSizes() {}

    static String table(SourceTree tree) {
        var linesByModule = new TreeMap<String, List<Integer>>();
        var longFiles = new ArrayList<String>();
        for (JavaSource source : JavaSource.all(tree)) {
            int lines = (int) source.text().lines().count();
            if (source.isMain() && !source.isPackageInfo()) {
                linesByModule.computeIfAbsent(source.module(), _ -> new ArrayList<>()).add(lines);
            }
            if (lines > LONG) {
                longFiles.add("%6d  %s%n".formatted(lines, source.path()));
            }
        }
        var table = new StringBuilder();
        table.append(
                "module         files  lines  half below  9 of 10 below  longest%n".formatted());
        linesByModule.forEach((module, lines) -> table.append(row(module, lines)));
        longFiles.forEach(table::append);
        return table.toString();
    }

    /**
     * Returns the long classes of the product, each with its limit, sorted.
     *
     * @param listed the lines of the list: a class and its limit
     * @return {@code listed}, unless a class exceeds its limit or is far below it
     */
    static List<String> longClasses(SourceTree tree, List<String> listed) {
        var limits = new HashMap<String, Integer>();
        for (String line : listed) {
            String[] words = line.split(" ", 2);
            limits.put(words[0], Integer.valueOf(words[1]));
        }
        var rows = new ArrayList<String>();
        for (JavaSource source : JavaSource.all(tree)) {
            int lines = (int) source.text().lines().count();
            if (source.isMain() && lines > LONG) {
                String name = source.path().replaceAll(".*/|\\.java$", "");
                rows.add(name + " " + limit(lines, limits.getOrDefault(name, 0)));
            }
        }
        return rows.stream().sorted().toList();
    }

    private static int limit(int lines, int listed) {
        boolean fits = lines <= listed && lines > listed - ROOM;
        return fits ? listed : (lines + STEP - 1) / STEP * STEP;
    }

    private static String row(String module, List<Integer> lines) {
        int[] sorted = lines.stream().mapToInt(Integer::intValue).sorted().toArray();
        int last = sorted.length - 1;
        return "%-13s %6d %6d %11d %14d %8d%n"
                .formatted(
                        module,
                        sorted.length,
                        Arrays.stream(sorted).sum(),
                        sorted[last / 2],
                        sorted[last * 9 / 10],
                        sorted[last]);
    }
}
