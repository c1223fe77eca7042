package org.crabro.docs;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Whether pages name types in the packages where they are: {@code `View` in `content.read`}, or
 * {@code `content.read.View`}. Decisions and notes are left out, because they describe the past.
 */
final class TypePlaces {
    private static final String ROOT = "org.crabro.";
    private static final Pattern PAGE = Pattern.compile("[A-Z]+\\.md|docs/[a-z-]+\\.md");
    private static final Pattern IN_PACKAGE =
            Pattern.compile("`(?<type>[A-Z]\\w*)` in `(?<package>[a-z.]+)`");
    private static final Pattern WITH_PACKAGE =
            Pattern.compile("`(?<package>[a-z]+(\\.[a-z]+)*)\\.(?<type>[A-Z]\\w*[a-z]\\w*)");

    private TypePlaces() {}

    static List<String> findings(SourceTree tree) {
        Set<String> types = new HashSet<>();
        Set<String> packages = new HashSet<>();
        for (JavaSource source : JavaSource.all(tree)) {
            packages.add(source.packageName());
            source.typeNames().forEach(type -> types.add(source.packageName() + "." + type));
        }
        var findings = new TreeSet<String>();
        for (Map.Entry<String, String> file : tree.texts().entrySet()) {
            if (PAGE.matcher(file.getKey()).matches()) {
                for (Pattern pattern : List.of(IN_PACKAGE, WITH_PACKAGE)) {
                    Matcher matcher = pattern.matcher(file.getValue());
                    while (matcher.find()) {
                        String name = full(matcher.group("package"));
                        String type = matcher.group("type");
                        if (packages.contains(name) && !types.contains(name + "." + type)) {
                            findings.add(
                                    "%s: no type %s in %s".formatted(file.getKey(), type, name));
                        }
                    }
                }
            }
        }
        return List.copyOf(findings);
    }

    private static String full(String name) {
        return name.startsWith(ROOT) ? name : ROOT + name;
    }
}
