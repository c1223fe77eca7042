package org.crabro.docs;

import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Whether links between pages lead somewhere: to a file or folder of the repository, and to a
 * heading where they name one. Addresses on the net are not looked at.
 */
final class MarkdownLinks {
    private static final Pattern LINK =
            Pattern.compile("\\[[^\\]]*]\\((?<to>[^)\\s]+)[^)]*\\)|^\\[[^\\]]+]:\\s*(?<ref>\\S+)");
    private static final Pattern INLINE_CODE = Pattern.compile("`[^`]*`");
    private static final Pattern HEADING = Pattern.compile("#{1,6}\\s+(?<text>.*?)\\s*#*");
    private static final Pattern ON_THE_NET = Pattern.compile("[a-z][a-z0-9+.-]*:.*");

    private static final String INDEX = "docs/README.md";
    private static final String LAB = "docs/lab/";
    private static final String LAB_INDEX = "docs/lab/README.md";
    private static final Pattern FOR_USERS = Pattern.compile("README\\.md|docs/[a-z-]+\\.md");

    private MarkdownLinks() {}

    static List<String> findings(SourceTree tree) {
        var findings = new ArrayList<String>();
        for (String page : pages(tree)) {
            for (Link link : linksOf(page, tree.text(page))) {
                if (!tree.has(link.target())) {
                    findings.add(link + ": no such file");
                } else if (!link.anchor().isEmpty()
                        && !anchors(tree.text(link.target())).contains(link.anchor())) {
                    findings.add(link + ": no such heading");
                }
            }
        }
        return findings;
    }

    /**
     * Returns the pages under {@code docs/} that {@code docs/README.md} does not link to. The pages
     * under {@code docs/lab/} have an index of their own.
     */
    static List<String> pagesOutsideOfTheIndex(SourceTree tree) {
        var findings = new ArrayList<String>();
        for (String page : pages(tree)) {
            String index = page.startsWith(LAB) && !page.equals(LAB_INDEX) ? LAB_INDEX : INDEX;
            if (page.startsWith("docs/")
                    && !page.equals(INDEX)
                    && !targets(index, tree).contains(page)) {
                findings.add(index + ": has no link to " + page);
            }
        }
        return findings;
    }

    /**
     * Returns the links of pages for users to {@code docs/lab/}. Trials and long tables are for
     * those who change Crabro: the index, decisions and the pages of the lab link to them.
     */
    static List<String> linksIntoTheLab(SourceTree tree) {
        return pages(tree).stream()
                .filter(page -> FOR_USERS.matcher(page).matches())
                .flatMap(page -> linksOf(page, tree.text(page)).stream())
                .filter(link -> link.target().startsWith(LAB))
                .map(link -> link + ": a page for users links to " + LAB)
                .toList();
    }

    private static Set<String> targets(String page, SourceTree tree) {
        Set<String> targets = new HashSet<>();
        for (Link link : linksOf(page, tree.text(page))) {
            targets.add(link.target());
        }
        return targets;
    }

    private static List<String> pages(SourceTree tree) {
        return tree.texts().keySet().stream().filter(path -> path.endsWith(".md")).toList();
    }

    private static List<Link> linksOf(String page, String text) {
        var links = new ArrayList<Link>();
        for (Line line : prose(text)) {
            Matcher link = LINK.matcher(INLINE_CODE.matcher(line.text()).replaceAll("code"));
            while (link.find()) {
                String to = link.group("to") == null ? link.group("ref") : link.group("to");
                if (!ON_THE_NET.matcher(to).matches()) {
                    links.add(Link.of(page, line.number(), to));
                }
            }
        }
        return links;
    }

    /** Returns the names by which GitHub lets a link name the headings of {@code text}. */
    private static Set<String> anchors(String text) {
        var anchors = new HashSet<String>();
        Map<String, Integer> seen = new HashMap<>();
        for (Line line : prose(text)) {
            Matcher heading = HEADING.matcher(line.text());
            if (heading.matches()) {
                String anchor =
                        heading.group("text")
                                .toLowerCase(Locale.ROOT)
                                .replaceAll("[^\\p{L}\\p{N} _-]", "")
                                .replace(' ', '-');
                int before = seen.merge(anchor, 1, Integer::sum) - 1;
                anchors.add(before == 0 ? anchor : anchor + "-" + before);
            }
        }
        return anchors;
    }

    /** Returns the lines outside of fenced code. */
    private static List<Line> prose(String text) {
        var lines = new ArrayList<Line>();
        boolean fenced = false;
        int number = 0;
        for (String line : text.lines().toList()) {
            number++;
            if (line.stripLeading().startsWith("```")) {
                fenced = !fenced;
            } else if (!fenced) {
                lines.add(new Line(number, line));
            }
        }
        return lines;
    }

    private record Line(int number, String text) {}

    /**
     * A link to a place in the repository.
     *
     * @param target the file or folder, from the root
     * @param anchor a heading in it, or empty
     */
    private record Link(String page, int line, String written, String target, String anchor) {

        static Link of(String page, int line, String written) {
            int hash = written.indexOf('#');
            String path = hash < 0 ? written : written.substring(0, hash);
            String anchor = hash < 0 ? "" : written.substring(hash + 1);
            String target =
                    path.isEmpty() ? page : URI.create(page).resolve(path).normalize().getPath();
            return new Link(page, line, written, target, anchor);
        }

        @Override
        public String toString() {
            return page + ":" + line + ": " + written;
        }
    }
}
