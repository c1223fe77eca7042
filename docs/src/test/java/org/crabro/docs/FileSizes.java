package org.crabro.docs;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * How long files are. Sizes are an example and not a limit, but long classes state their reason.
 */
final class FileSizes {
    /** A file of more lines states in its class comment why it is one thing. */
    private static final int LONG = 500;

    private static final Pattern REASON =
            Pattern.compile("is one (class|file|thing),? because|The class is long because");

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

    /** Returns the long files of the product whose comments do not say why they are one thing. */
    static List<String> findings(SourceTree tree) {
        return JavaSource.all(tree).stream()
                .filter(JavaSource::isMain)
                .filter(source -> source.text().lines().count() > LONG)
                .filter(source -> !REASON.matcher(unwrapped(source.text())).find())
                .map(source ->
                        "%s: more than %d lines, and no 'It is one class because …'"
                                .formatted(source.path(), LONG))
                .toList();
    }

    private static String unwrapped(String text) {
        return text.replaceAll("\\s*\n \\* *", " ");
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
