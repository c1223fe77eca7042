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
 * Preprocesses an XML file: includes other files, replaces properties by their values, and removes
 * elements for other environments. Elements keep the positions where they were written.
 */
final class XmlPreprocessor {
    static final String INCLUDE = "preprocess:include";
    static final String PROPERTIES = "preprocess:properties";

    /** Includes all files of a directory, in the sections of a container. */
    private static final String INCLUDE_ALL = "include";

    private static final Set<String> SECTIONS =
            Set.of("container", "components", "document-processing", "processing", "search");

    /**
     * The elements that are read one by one from an included file that is not well formed, by the
     * name of the including element.
     */
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

    /** The maximum number of included files. */
    private static final int INCLUDES_MAX = 1_000;

    /** The maximum depth of includes; it limits the stack. */
    private static final int INCLUDE_DEPTH_MAX = 20;

    /** The maximum number of missing properties that are reported for one text. */
    private static final int MISSING_MAX = 50;

    /** The maximum total length of property values; a file itself can be as long. */
    private static final int FILLED_MAX = 16 << 20;

    private static final Pattern PLACE = Pattern.compile("\\$\\{([^}]*)}");

    private final ApplicationFiles files;
    private final ApplicationName name;
    private final Findings findings;
    private final List<String> open = new ArrayList<>();
    private int includes;

    /** The number of elements and attributes of all files. */
    private int nodes;

    private final Map<String, String> properties = new HashMap<>();

    /** The names of the properties, for messages. */
    private String propertyNames = "";

    /** The total length of the property values that replaced references. */
    private long filled;

    private boolean isBroken;

    /** Whether a file is not well formed, so that missing names may be in its unreadable part. */
    private boolean isPart;

    private XmlPreprocessor(ApplicationFiles files, ApplicationName name, Findings findings) {
        this.files = files;
        this.name = name;
        this.findings = findings;
    }

    /**
     * Returns the root of the file at {@code path}, or empty after a problem was reported. In that
     * case {@code parts} receives the readable parts. Problems of incomplete elements are not
     * reported; see {@link XmlText#cutOff}.
     *
     * @param name of the application, which selects elements
     * @param sections the elements that are read one by one if the file is not well formed; see
     *     {@link XmlText#parts}
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
        preprocessor.nodes = text.nodes();
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
        propertyNames =
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

    /**
     * Returns the included elements. If the include fails, {@code element} is marked as incomplete.
     */
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
                        "%s is not allowed at an include; put it at the elements of %s"
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
        String named = include.attribute("dir").orElse("");
        if (named.isEmpty() || named.startsWith("/")) {
            problem(include, "include needs dir, a directory of the package");
        } else if (!files.hasDirectory(directory.substring(0, directory.length() - 1))) {
            problem(include, "there is no directory '%s' to include".formatted(directory));
        } else if (paths.isEmpty()) {
            findings.warn(
                    "%s: there is no XML file in '%s' to include"
                            .formatted(include.file().place(include), directory));
        }
        var elements = new ArrayList<XmlElement>();
        paths.forEach(path -> elements.addAll(includedOf(include, path, parent)));
        return elements;
    }

    /**
     * Includes a file. If the file consists of one section, its parts are included without the
     * section.
     */
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
        // The parts of the section that were read one by one follow those read before the error.
        var parts = new ArrayList<>(section.children());
        parts.addAll(siblings.subList(1, siblings.size()));
        return parts;
    }

    /**
     * @param parent the name of the including element
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
        // After too many problems, a file that is included repeatedly is not searched for more.
        Set<String> sections = findings.isFull() ? Set.of() : PARTS.getOrDefault(parent, Set.of());
        List<XmlElement> siblings = text.siblings(sections);
        isBroken |= !text.isWhole();
        isPart |= !text.isWhole();
        nodes += text.nodes();
        if (nodes > XmlText.NODES_MAX) {
            problem(include, XmlText.tooMany("with this include, the files have"));
            return List.of();
        }
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
        String problem = "there is no property '%s'%s".formatted(name, propertyNames);
        // A problem above the limit is only counted, so no hint is computed.
        return findings.isFull() ? problem : problem + NearestName.hint(name, properties.keySet());
    }

    /**
     * Returns a text with its properties replaced, or empty after the missing ones were reported.
     */
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
                // In a file that is not well formed, the property may be in the unreadable part.
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

    /** Returns whether the length limit allows {@code value}; reports the limit once. */
    private boolean isRoomFor(String value, Consumer<String> problems) {
        boolean wasRoom = filled <= FILLED_MAX;
        filled += value.length();
        if (filled <= FILLED_MAX) {
            return true;
        }
        isBroken = true;
        if (wasRoom) {
            problems.accept(
                    "the values of properties have more than %,d characters in total"
                            .formatted(FILLED_MAX));
        }
        return false;
    }
}
