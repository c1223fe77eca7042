package org.crabro.docs;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Whether ARCHITECTURE.md names what exists, all of it, and nothing else.
 *
 * <p>In its section "Code map" a line {@code - `content.run` …} stands for a package, without the
 * root {@code org.crabro}. Anywhere in the page a word in backticks that begins with a capital and
 * has a small letter, such as {@code `RunView`} or {@code `WriteReply.Stored`}, is a type of ours;
 * types of others are written without backticks.
 */
final class CodeMap {
    private static final String PAGE = "ARCHITECTURE.md";
    private static final String ROOT = "org.crabro.";
    private static final int LINES_MAX = 400;

    private static final Pattern PACKAGE_LINE = Pattern.compile("- `(?<name>[a-z][a-z.]*)`.*");
    private static final Pattern TYPE =
            Pattern.compile("`(?<name>[A-Z]\\w*[a-z]\\w*(\\.[A-Z]\\w*)*)`");

    private CodeMap() {}

    static List<String> findings(SourceTree tree) {
        String page = tree.text(PAGE);
        var findings = new TreeSet<String>();

        Set<String> named = packagesIn(page);
        Set<String> written = new TreeSet<>();
        Set<String> types = new HashSet<>();
        for (JavaSource source : JavaSource.all(tree)) {
            if (source.isMain()) {
                types.addAll(source.typeNames());
                written.add(source.packageName().substring(ROOT.length()));
            }
        }
        for (String name : difference(written, named)) {
            findings.add(PAGE + ": the code map lacks the package " + name);
        }
        for (String name : difference(named, written)) {
            findings.add(PAGE + ": the code map names a package that is not there: " + name);
        }

        Matcher type = TYPE.matcher(page);
        while (type.find()) {
            if (!types.containsAll(List.of(type.group("name").split("\\.", -1)))) {
                findings.add(PAGE + ": no such type: " + type.group("name"));
            }
        }

        long lines = page.lines().count();
        if (lines >= LINES_MAX) {
            findings.add("%s: has %d lines, below %d wanted".formatted(PAGE, lines, LINES_MAX));
        }
        return List.copyOf(findings);
    }

    private static Set<String> packagesIn(String page) {
        var names = new TreeSet<String>();
        boolean inMap = false;
        for (String line : page.lines().toList()) {
            if (line.startsWith("## ")) {
                inMap = line.equals("## Code map");
            }
            Matcher matcher = PACKAGE_LINE.matcher(line);
            if (inMap && matcher.matches()) {
                names.add(matcher.group("name"));
            }
        }
        return names;
    }

    private static Set<String> difference(Set<String> from, Set<String> without) {
        var rest = new TreeSet<>(from);
        rest.removeAll(without);
        return rest;
    }
}
