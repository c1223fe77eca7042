package org.crabro.docs;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A Java file, as far as its path and its declarations tell.
 *
 * @param path from the root, such as {@code server/src/main/java/org/crabro/server/Crabro.java}
 */
public record JavaSource(String path, String text) {
    private static final Pattern PATH =
            Pattern.compile(
                    "(?<module>[^/]+(?:/[^/]+)?)/src/(?<tree>[^/]+)/java/(?<package>.+)/[^/]+\\.java");
    private static final Pattern TYPE =
            Pattern.compile("\\b(?:class|interface|enum|record)\\s+(?<name>[A-Z]\\w*)");

    /** Returns the files that lie in a package. */
    public static List<JavaSource> all(SourceTree tree) {
        return tree.texts().entrySet().stream()
                .filter(file -> PATH.matcher(file.getKey()).matches())
                .map(file -> new JavaSource(file.getKey(), file.getValue()))
                .toList();
    }

    /** Returns the folder of the module, such as {@code content/search}. */
    public String module() {
        return part("module");
    }

    /** Returns whether this is part of the product, not of its tests. */
    public boolean isMain() {
        return part("tree").equals("main");
    }

    public String packageName() {
        return part("package").replace('/', '.');
    }

    public boolean isPackageInfo() {
        return path.endsWith("/package-info.java");
    }

    /** Returns the simple names of the types that this file declares, nested ones too. */
    public Set<String> typeNames() {
        var names = new HashSet<String>();
        Matcher type = TYPE.matcher(text);
        while (type.find()) {
            names.add(type.group("name"));
        }
        return names;
    }

    private String part(String group) {
        Matcher matcher = PATH.matcher(path);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("not a file in a package: " + path);
        }
        return matcher.group(group);
    }
}
