package org.crabro.docs;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Whether the recipes of CONTRIBUTING.md name files, packages and types that exist, tests included.
 * They name them in backticks. A path that contains a word in capitals, such as {@code NAME}, is an
 * example and is compared up to that word.
 */
final class Recipes {
    private static final String PAGE = "CONTRIBUTING.md";
    private static final String ROOT = "org.crabro.";

    private static final Pattern WORD = Pattern.compile("`(?<word>[^`\\s]+)`");
    private static final Pattern FILE =
            Pattern.compile("[\\w./-]+\\.(md|tsv|txt|properties|outline|java|xml|json|yml)");
    private static final Pattern PATH = Pattern.compile("[\\w.-]+(/[\\w.-]+)+/?");
    private static final Pattern EXAMPLE = Pattern.compile("[A-Z]{3,}\\b.*");
    private static final Pattern TYPE =
            Pattern.compile("(?<type>[A-Z]\\w*[a-z]\\w*)(\\.(?<member>\\w+))?");
    private static final Pattern PACKAGE = Pattern.compile("[a-z]+(\\.[a-z]+)+");

    private Recipes() {}

    static List<String> findings(SourceTree tree) {
        Map<String, String> fileOfType = new HashMap<>();
        Set<String> packages = new HashSet<>();
        for (JavaSource source : JavaSource.all(tree)) {
            packages.add(source.packageName());
            source.typeNames()
                    .forEach(name -> fileOfType.merge(name, source.text(), String::concat));
        }
        Set<String> roots = new HashSet<>();
        packages.forEach(name -> roots.add(name.split("\\.", -1)[2]));
        var findings = new TreeSet<String>();
        String recipes = tree.text(PAGE).replaceFirst("(?s).*?\n## Recipes\n", "");
        Matcher words = WORD.matcher(recipes);
        while (words.find()) {
            String word = words.group("word");
            Matcher type = TYPE.matcher(word);
            if (isPackage(word, packages) || word.contains("/target/")) {
                continue;
            }
            if (FILE.matcher(word).matches() || PATH.matcher(word).matches()) {
                if (!hasFile(tree, word)) {
                    findings.add("%s: no file %s".formatted(PAGE, word));
                }
            } else if (type.matches()) {
                String text = fileOfType.get(type.group("type"));
                String member = type.group("member");
                if (text == null || (member != null && !has(text, member))) {
                    findings.add("%s: no type or member %s".formatted(PAGE, word));
                }
            } else if (PACKAGE.matcher(word).matches()
                    && roots.contains(word.replaceFirst("\\..*", ""))) {
                findings.add("%s: no package %s".formatted(PAGE, word));
            }
        }
        return List.copyOf(findings);
    }

    /** Returns whether there is a package of this name, or one below it. */
    private static boolean isPackage(String name, Set<String> packages) {
        return packages.stream().anyMatch(each -> (each + ".").startsWith(ROOT + name + "."));
    }

    /** Returns whether there is a file or folder of this name or path, from the root or below. */
    private static boolean hasFile(SourceTree tree, String word) {
        String path = EXAMPLE.matcher(word).replaceFirst("");
        if (path.isEmpty() || (word.contains("/") && tree.has(path.replaceFirst("/$", "")))) {
            return true;
        }
        return tree.texts().keySet().stream()
                .anyMatch(file -> ("/" + file + "/").contains("/" + word + "/"));
    }

    private static boolean has(String text, String member) {
        return Pattern.compile("\\b" + Pattern.quote(member) + "\\b").matcher(text).find();
    }
}
