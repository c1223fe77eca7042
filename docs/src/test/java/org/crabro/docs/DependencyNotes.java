package org.crabro.docs;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Whether each library of the root pom has its line in {@code docs/dependencies.md}. */
final class DependencyNotes {
    private static final String PAGE = "docs/dependencies.md";
    private static final Pattern MANAGED =
            Pattern.compile(
                    "<dependencyManagement>(?<all>.*)</dependencyManagement>", Pattern.DOTALL);
    private static final Pattern LIBRARY =
            Pattern.compile(
                    "<groupId>(?<group>[^<*]+)</groupId>\\s*<artifactId>(?<artifact>[^<*]+)</");

    private DependencyNotes() {}

    static List<String> findings(SourceTree tree) {
        String page = tree.text(PAGE);
        var findings = new ArrayList<String>();
        Matcher managed = MANAGED.matcher(tree.text("pom.xml"));
        if (managed.find()) {
            Matcher library = LIBRARY.matcher(managed.group("all"));
            while (library.find()) {
                String artifact = library.group("artifact");
                if (!library.group("group").equals("org.crabro")
                        && !page.contains("`" + artifact + "`")) {
                    findings.add(PAGE + ": no line for `" + artifact + "`");
                }
            }
        }
        return findings;
    }
}
