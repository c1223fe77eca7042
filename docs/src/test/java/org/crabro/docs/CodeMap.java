package org.crabro.docs;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Whether ARCHITECTURE.md names what exists, and is short. {@link PackagesPage} lists all packages.
 *
 * <p>A word in backticks that begins with a capital and has a small letter, such as {@code
 * `RunView`} or {@code `View.Slice`}, is a type of ours; types of others are written without
 * backticks. So is a name such as {@code `content.storage.run`} a package, without the root {@code
 * org.crabro}, and {@code `content.storage.run.RunView`} a type in it.
 */
final class CodeMap {
    private static final String PAGE = "ARCHITECTURE.md";
    private static final String ROOT = "org.crabro.";
    private static final int LINES_MAX = 250;

    private static final Pattern TYPE =
            Pattern.compile("`(?<name>[A-Z]\\w*[a-z]\\w*(\\.[A-Z]\\w*)*)`");
    private static final Pattern PACKAGE =
            Pattern.compile("`(?<name>(?<first>[a-z]+)(\\.[a-z]+)+)(\\.[A-Z][\\w.]*)?`");

    private CodeMap() {}

    static List<String> findings(SourceTree tree) {
        String page = tree.text(PAGE);
        var findings = new TreeSet<String>();
        Set<String> packages = new HashSet<>();
        Set<String> roots = new HashSet<>();
        Set<String> types = new HashSet<>();
        for (JavaSource source : JavaSource.all(tree)) {
            if (source.isMain()) {
                types.addAll(source.typeNames());
                String name = source.packageName().substring(ROOT.length());
                packages.add(name);
                roots.add(name.replaceFirst("\\..*", ""));
            }
        }
        Matcher type = TYPE.matcher(page);
        while (type.find()) {
            if (!types.containsAll(List.of(type.group("name").split("\\.", -1)))) {
                findings.add(PAGE + ": no such type: " + type.group("name"));
            }
        }
        Matcher named = PACKAGE.matcher(page);
        while (named.find()) {
            String name = named.group("name");
            if (roots.contains(named.group("first")) && !isPackage(name, packages)) {
                findings.add(PAGE + ": no such package: " + name);
            }
        }
        long lines = page.lines().count();
        if (lines > LINES_MAX) {
            findings.add("%s: has %d lines, at most %d wanted".formatted(PAGE, lines, LINES_MAX));
        }
        return List.copyOf(findings);
    }

    /** Returns whether there is a package of this name, or one below it. */
    private static boolean isPackage(String name, Set<String> packages) {
        return packages.stream().anyMatch(each -> (each + ".").startsWith(name + "."));
    }
}
