package org.crabro.config.services;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.crabro.config.application.ApplicationFiles;
import org.crabro.config.application.ApplicationName;
import org.crabro.config.application.Findings;
import org.crabro.config.application.InvalidPackageException;
import org.crabro.config.application.NearestName;
import org.crabro.config.application.XmlElement;
import org.crabro.config.application.XmlText;

/**
 * Makes one tree of an XML file: puts in the files that it includes, then the values of its
 * properties, then leaves out what is for other environments. Elements keep the places where they
 * were written.
 */
final class XmlPreprocessor {
    static final String INCLUDE = "preprocess:include";
    static final String PROPERTIES = "preprocess:properties";

    /** Stands for all files of a directory, in the sections of a container. */
    private static final String INCLUDE_ALL = "include";

    private static final Set<String> SECTIONS =
            Set.of("container", "components", "document-processing", "processing", "search");

    /** What is read by itself of an included file that is not well formed, by where it is put. */
    private static final Map<String, Set<String>> PARTS =
            Map.of(
                    "services",
                    Set.of("container", "content", "admin"),
                    "container",
                    Set.of("search", "document-processing", "document-api", "http"),
                    "search",
                    Set.of("chain"),
                    "document-processing",
                    Set.of("chain"));

    /** More files than this are not put into one. */
    private static final int INCLUDES_MAX = 1_000;

    /** Files that include each other further are no file that means something, and a deep stack. */
    private static final int INCLUDE_DEPTH_MAX = 20;

    /** Properties that are missing in one text, of which more than these are not told. */
    private static final int MISSING_MAX = 50;

    /** Of a file that could be as long as this by itself. */
    private static final int FILLED_MAX = 16 << 20;

    private static final Pattern PLACE = Pattern.compile("\\$\\{([^}]*)}");

    private final ApplicationFiles files;
    private final ApplicationName name;
    private final Findings findings;
    private final List<String> open = new ArrayList<>();
    private int includes;

    private final Map<String, String> properties = new HashMap<>();

    /** Their names, for messages. */
    private String known = "";

    /** How long the values of properties are that were put in, together. */
    private long filled;

    private boolean isBroken;

    /** Whether the file is not well formed, and what is missing may be in what was not read. */
    private boolean isPart;

    private XmlPreprocessor(ApplicationFiles files, ApplicationName name, Findings findings) {
        this.files = files;
        this.name = name;
        this.findings = findings;
    }

    /**
     * Returns the root of the file at {@code path}, or nothing after it was reported what is wrong.
     * Then {@code parts} gets what could be read and put together all the same; of elements that
     * something is missing of nothing is reported, see {@link XmlText#cutOff}.
     *
     * @param name what the application is called, whose parts count
     * @param sections what may be read by itself, see {@link XmlText#parts}
     */
    static Optional<XmlElement> read(
            ApplicationFiles files,
            String path,
            ApplicationName name,
            Findings findings,
            Set<String> sections,
            Consumer<XmlElement> parts) {
        var preprocessor = new XmlPreprocessor(files, name, findings);
        var text = new XmlText(path, files.text(path).orElseThrow(), findings);
        Optional<XmlElement> root = text.parts(sections);
        preprocessor.isPart = !text.isWhole();
        Optional<XmlElement> read = root.map(each -> preprocessor.read(path, each));
        if (preprocessor.isPart || preprocessor.isBroken) {
            read.ifPresent(parts);
            return Optional.empty();
        }
        return read;
    }

    private XmlElement read(String path, XmlElement root) {
        open.add(path);
        XmlElement whole = withIncludes(root, directory(path));
        gatherProperties(whole);
        known =
                properties.isEmpty()
                        ? ""
                        : ", only " + String.join(", ", new TreeSet<>(properties.keySet()));
        XmlElement filled = withProperties(whole);
        isBroken |= !DeployOverrides.fit(filled);
        return new DeployOverrides(name).resolve(filled);
    }

    private static String directory(String path) {
        return path.substring(0, path.lastIndexOf('/') + 1);
    }

    private void problem(XmlElement element, String problem) {
        isBroken = true;
        element.file().problem(element, problem);
    }

    private XmlElement withIncludes(XmlElement element, String directory) {
        var children = new ArrayList<XmlElement>();
        for (XmlElement child : element.children()) {
            if (child.name().equals(INCLUDE)) {
                children.addAll(partOf(element, () -> namedFile(child, directory, element.name())));
            } else if (child.name().equals(INCLUDE_ALL) && SECTIONS.contains(element.name())) {
                children.addAll(partOf(element, () -> includedAll(child, element.name())));
            } else {
                children.add(withIncludes(child, directory));
            }
        }
        return element.with(element.attributes(), children, element.text());
    }

    /** Returns what is included in {@code element}, which misses it where that failed. */
    private List<XmlElement> partOf(XmlElement element, Supplier<List<XmlElement>> included) {
        boolean wasBroken = isBroken;
        isBroken = false;
        List<XmlElement> part = included.get();
        if (isBroken) {
            element.file().cutOff(element);
        }
        isBroken |= wasBroken;
        return part;
    }

    private List<XmlElement> namedFile(XmlElement include, String directory, String parent) {
        Optional<String> file = include.attribute("file").filter(name -> !name.isEmpty());
        if (file.isEmpty()) {
            problem(include, "preprocess:include needs file, the path of a file of the package");
            return List.of();
        }
        for (String attribute : include.attributes().keySet()) {
            if (attribute.startsWith("deploy:")) {
                problem(
                        include,
                        "%s cannot stand at an include; put it at the elements of %s"
                                .formatted(attribute, file.get()));
                return List.of();
            }
        }
        return included(include, directory + file.get(), parent);
    }

    private List<XmlElement> includedAll(XmlElement include, String parent) {
        String directory = include.attribute("dir").orElse("").replaceFirst("/+$", "") + "/";
        List<String> paths =
                files.paths().stream()
                        .filter(path ->
                                path.startsWith(directory)
                                        && path.endsWith(".xml")
                                        && path.indexOf('/', directory.length()) < 0)
                        .toList();
        if (paths.isEmpty()) {
            problem(
                    include,
                    include.attribute("dir").isEmpty()
                            ? "include needs dir, a directory of the package"
                            : "there is no XML file in '%s' to include".formatted(directory));
        }
        var elements = new ArrayList<XmlElement>();
        paths.forEach(path -> elements.addAll(includedOf(include, path, parent)));
        return elements;
    }

    /** Some write a file of one section, and what they mean are the parts of the section. */
    private List<XmlElement> includedOf(XmlElement include, String path, String parent) {
        List<XmlElement> siblings = included(include, path, parent);
        if (siblings.isEmpty() || !SECTIONS.contains(siblings.getFirst().name())) {
            return siblings;
        }
        XmlElement section = siblings.getFirst();
        if (siblings.size() == 1) {
            return section.children();
        }
        if (section.file().isWhole()) {
            return siblings;
        }
        // Parts of the section that were read by themselves stand behind what was read of it.
        var parts = new ArrayList<>(section.children());
        parts.addAll(siblings.subList(1, siblings.size()));
        return parts;
    }

    /**
     * @param parent the name of what it is put into
     */
    private List<XmlElement> included(XmlElement include, String path, String parent) {
        if (!files.paths().contains(path)) {
            if (!include.attribute("required").equals(Optional.of("false"))) {
                problem(
                        include,
                        "there is no file '%s' to include, and it is not required=\"false\"%s"
                                .formatted(path, NearestName.hint(path, files.paths())));
            }
            return List.of();
        }
        if (open.contains(path)) {
            problem(
                    include,
                    "'%s' includes itself: %s -> %s"
                            .formatted(path, String.join(" -> ", open), path));
            return List.of();
        }
        if (open.size() > INCLUDE_DEPTH_MAX) {
            problem(
                    include,
                    "files include each other more than %d deep".formatted(INCLUDE_DEPTH_MAX));
            return List.of();
        }
        if (++includes > INCLUDES_MAX) {
            problem(include, "more than %,d files are included".formatted(INCLUDES_MAX));
            return List.of();
        }
        XmlText text;
        try {
            text = new XmlText(path, files.text(path).orElseThrow(), findings);
        } catch (InvalidPackageException e) {
            problem(include, String.valueOf(e.getMessage()));
            return List.of();
        }
        // Nothing more is told of a file that is included again and again.
        Set<String> sections = findings.isFull() ? Set.of() : PARTS.getOrDefault(parent, Set.of());
        List<XmlElement> siblings = text.siblings(sections);
        isBroken |= !text.isWhole();
        isPart |= !text.isWhole();
        open.add(path);
        var elements = new ArrayList<XmlElement>();
        for (XmlElement sibling : siblings) {
            if (sibling.name().equals(INCLUDE)) {
                elements.addAll(namedFile(sibling, directory(path), parent));
            } else {
                elements.add(withIncludes(sibling, directory(path)));
            }
        }
        open.removeLast();
        return elements;
    }

    private void gatherProperties(XmlElement element) {
        for (XmlElement child : element.children()) {
            if (child.name().equals(PROPERTIES)) {
                child.children().forEach(each -> properties.put(each.name(), each.text()));
            } else {
                gatherProperties(child);
            }
        }
    }

    private XmlElement withProperties(XmlElement element) {
        XmlText file = element.file();
        var attributes = new LinkedHashMap<String, String>();
        boolean isWhole = true;
        for (Map.Entry<String, String> attribute : element.attributes().entrySet()) {
            String name = attribute.getKey();
            Optional<String> value =
                    filled(attribute.getValue(), problem -> file.problem(element, name, problem));
            value.ifPresent(filled -> attributes.put(name, filled));
            isWhole &= value.isPresent();
        }
        var children = new ArrayList<XmlElement>();
        for (XmlElement child : element.children()) {
            if (!child.name().equals(PROPERTIES)) {
                children.add(withProperties(child));
            }
        }
        Optional<String> text =
                element.children().isEmpty()
                        ? filled(element.text(), problem -> file.problem(element, problem))
                        : Optional.of(element.text());
        if (!isWhole || text.isEmpty()) {
            file.cutOff(element);
        }
        return element.with(attributes, children, text.orElse(""));
    }

    private String missingProperty(String name) {
        String problem = "there is no property '%s'%s".formatted(name, known);
        // What is only counted is not shown to anybody.
        return findings.isFull() ? problem : problem + NearestName.hint(name, properties.keySet());
    }

    /** Returns a text with its values, or nothing after it was reported which are missing. */
    private Optional<String> filled(String written, Consumer<String> problems) {
        if (!written.contains("${")) {
            return Optional.of(written);
        }
        Matcher places = PLACE.matcher(written);
        var text = new StringBuilder();
        var missing = new HashSet<String>();
        while (places.find()) {
            String name = places.group(1);
            String value = properties.get(name);
            if (value == null) {
                isBroken = true;
                // What is not well formed may have it where nothing was read.
                if (missing.add(name) && missing.size() <= MISSING_MAX && !isPart) {
                    problems.accept(missingProperty(name));
                }
            } else if (!isRoomFor(value, problems)) {
                return Optional.empty();
            } else {
                places.appendReplacement(text, Matcher.quoteReplacement(value));
            }
        }
        return missing.isEmpty()
                ? Optional.of(places.appendTail(text).toString())
                : Optional.empty();
    }

    /** Says once where there is none. */
    private boolean isRoomFor(String value, Consumer<String> problems) {
        boolean wasRoom = filled <= FILLED_MAX;
        filled += value.length();
        if (filled <= FILLED_MAX) {
            return true;
        }
        isBroken = true;
        if (wasRoom) {
            problems.accept(
                    "the values of properties come to more than %,d characters"
                            .formatted(FILLED_MAX));
        }
        return false;
    }
}
