package org.crabro.docs;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Whether the libraries of the root pom are the ones that {@code docs/dependencies.md} has lines
 * for. A line begins with one or more artifacts in backticks, as the first cell of a table.
 */
final class DependencyNotes {
    private static final String PAGE = "docs/dependencies.md";
    private static final Pattern MANAGED =
            Pattern.compile(
                    "<dependencyManagement>(?<all>.*)</dependencyManagement>", Pattern.DOTALL);
    private static final Pattern LIBRARY =
            Pattern.compile(
                    "<groupId>(?<group>[^<*]+)</groupId>\\s*<artifactId>(?<artifact>[^<*]+)</");
    private static final Pattern LINE = Pattern.compile("\\| (?<cell>`[^|]*)\\|.*");
    private static final Pattern NAME = Pattern.compile("`(?<name>[^`]+)`");

    private DependencyNotes() {}

    static List<String> findings(SourceTree tree) {
        Set<String> used = librariesIn(tree.text("pom.xml"));
        Set<String> told = linesIn(tree.text(PAGE));
        var findings = new TreeSet<String>();
        for (String name : used) {
            if (!told.contains(name)) {
                findings.add(PAGE + ": no line for `" + name + "`");
            }
        }
        for (String name : told) {
            if (!used.contains(name)) {
                findings.add(PAGE + ": has a line for a library not in pom.xml: `" + name + "`");
            }
        }
        return List.copyOf(findings);
    }

    private static Set<String> librariesIn(String pom) {
        var names = new TreeSet<String>();
        Matcher managed = MANAGED.matcher(pom);
        if (managed.find()) {
            Matcher library = LIBRARY.matcher(managed.group("all"));
            while (library.find()) {
                if (!library.group("group").equals("org.crabro")) {
                    names.add(library.group("artifact"));
                }
            }
        }
        return names;
    }

    private static Set<String> linesIn(String page) {
        var names = new TreeSet<String>();
        for (String line : page.lines().toList()) {
            Matcher first = LINE.matcher(line);
            if (first.matches()) {
                Matcher name = NAME.matcher(first.group("cell"));
                while (name.find()) {
                    names.add(name.group("name"));
                }
            }
        }
        return names;
    }
}
