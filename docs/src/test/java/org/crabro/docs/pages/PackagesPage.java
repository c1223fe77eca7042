package org.crabro.docs.pages;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.crabro.docs.JavaSource;
import org.crabro.docs.SourceTree;

/**
 * The page that lists all packages. It is made from the comments in their {@code package-info}
 * files: the first sentence says what a package is, and the sentence that begins with "Start
 * reading" names its first types. Without such a sentence, the types that the comment links to are
 * its first types.
 */
final class PackagesPage {
    static final String PATH = "docs/packages.md";

    private static final String ROOT = "org.crabro.";

    /** As on the page of the architecture: from the bottom up. */
    private static final List<String> MODULES =
            List.of(
                    "document-api",
                    "ranking",
                    "config-model",
                    "protocol",
                    "content/storage",
                    "content/search",
                    "content/replication",
                    "content/node",
                    "container",
                    "clients",
                    "server",
                    "perf");

    private static final String HEAD =
            """
            # Packages

            This page is made from the `package-info.java` of each package, which has more detail. Names are without the root `org.crabro`. To write it again:

            ```
            mvn test -pl docs -am -Dtest=PackagesPageTest -Dsurefire.failIfNoSpecifiedTests=false -Dcrabro.write=true
            ```

            [ARCHITECTURE.md](../ARCHITECTURE.md) explains how the modules work together.
            """;

    private static final Pattern COMMENT =
            Pattern.compile("/\\*\\*(?<text>.*?)\\*/", Pattern.DOTALL);
    private static final Pattern LINK =
            Pattern.compile("\\{@link(plain)?\\s+(?<to>[\\w.]+)(#\\w+)?[^}]*}");
    private static final Pattern CODE = Pattern.compile("\\{@code\\s+(?<code>[^}]*)}");
    private static final Pattern SENTENCE_END = Pattern.compile("(?<=\\.)\\s+(?=[A-Z{`])");
    private static final Pattern TYPE = Pattern.compile("`(?<name>[A-Z]\\w*[a-z]\\w*)`");

    private PackagesPage() {}

    /** Returns the text that the page should have. */
    static String of(SourceTree tree) {
        Map<String, Map<String, JavaSource>> byModule = new TreeMap<>();
        for (JavaSource source : JavaSource.all(tree)) {
            if (source.isMain() && source.isPackageInfo()) {
                byModule.computeIfAbsent(source.module(), _ -> new TreeMap<>())
                        .put(source.packageName().substring(ROOT.length()), source);
            }
        }
        var modules = new ArrayList<>(MODULES);
        byModule.keySet().stream().filter(name -> !modules.contains(name)).forEach(modules::add);
        var page = new StringBuilder(HEAD);
        for (String module : modules) {
            Map<String, JavaSource> packages = byModule.getOrDefault(module, Map.of());
            if (!packages.isEmpty()) {
                page.append("\n## ").append(module).append("\n\n");
                page.append("| package | what it is | first types |\n|---|---|---|\n");
                packages.forEach((name, info) -> page.append(row(name, text(info))));
            }
        }
        return page.toString();
    }

    private static String row(String name, String text) {
        String purpose = SENTENCE_END.split(text, 2)[0];
        return "| `%s` | %s | %s |\n"
                .formatted(name, purpose.replace("|", "\\|"), String.join(", ", firstTypes(text)));
    }

    /** Returns the comment of a package, with names of types and of code in backticks. */
    private static String text(JavaSource info) {
        Matcher comment = COMMENT.matcher(info.text());
        if (!comment.find()) {
            throw new IllegalArgumentException(info.path() + " has no comment");
        }
        String plain =
                comment.group("text")
                        .replaceAll("(?m)^\\s*\\* ?", "")
                        .replaceAll("</?[a-z]+>", " ")
                        .replace("&lt;", "<")
                        .replace("&gt;", ">")
                        .replaceAll("\\s+", " ")
                        .strip();
        String coded = CODE.matcher(plain).replaceAll(code -> quoted(code.group("code")));
        return LINK.matcher(coded).replaceAll(link -> quoted(shortName(link.group("to"))));
    }

    private static String quoted(String name) {
        return Matcher.quoteReplacement("`" + name + "`");
    }

    /** Returns the simple name of a type, and the name of a package without the root. */
    private static String shortName(String to) {
        String name = to.substring(to.lastIndexOf('.') + 1);
        return Character.isUpperCase(name.charAt(0)) ? name : to.replace(ROOT, "");
    }

    private static Set<String> firstTypes(String text) {
        List<String> sentences = List.of(SENTENCE_END.split(text, -1));
        String start =
                sentences.stream()
                        .filter(sentence -> sentence.matches(".*[Ss]tart (reading )?at .*"))
                        .reduce("", String::concat);
        var types = new LinkedHashSet<String>();
        Matcher type = TYPE.matcher(start.isEmpty() ? text : start);
        while (type.find()) {
            types.add(type.group());
        }
        return types;
    }
}
