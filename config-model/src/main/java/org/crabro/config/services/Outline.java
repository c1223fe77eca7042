package org.crabro.config.services;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.crabro.config.application.Findings;
import org.crabro.config.application.NearestName;
import org.crabro.config.application.XmlElement;

/**
 * The elements, attributes and texts that an XML file can have, and their effect. A resource of the
 * program lists them.
 *
 * <p>A line is an element, indented lines are its children. The character before the name is its
 * effect: {@code +} read, {@code -} accepted and without effect here, {@code ~} ignored with a
 * warning, {@code !} rejected, both with the reason after a semicolon. After the name follow its
 * attributes ({@code @name}, {@code @name!} if it is required, {@code @name:form}), the form of its
 * text ({@code :form}, see {@link TextForm}), {@code required}, {@code once}, {@code *} if it can
 * contain anything, and {@code &name}, which includes the contents of the line {@code &name}.
 *
 * {@snippet :
 * Outline outline = Outline.read("services.outline");
 * outline.check("services", root, findings);
 * }
 *
 * <p>Immutable.
 */
final class Outline {
    private final Map<String, Entry> definitions;

    /** The effect of an element. */
    private enum Treatment {
        READ,
        /** Accepted without effect and without a message. */
        HINT,
        /** Ignored with a warning. */
        LEFT_OUT,
        REFUSED
    }

    private record Attribute(boolean isRequired, Optional<TextForm> form) {}

    /**
     * A line.
     *
     * @param reference the line whose contents this line includes
     */
    private record Entry(
            String name, Occurrence occurrence, Contents contents, Optional<String> reference) {}

    /**
     * Whether an element can be in its parent, and its effect there.
     *
     * @param reason of a treatment other than {@link Treatment#READ}
     */
    private record Occurrence(
            Treatment treatment, String reason, boolean isRequired, boolean isOnce) {}

    /** What an element can contain. The list grows while the file is read, and not afterwards. */
    private record Contents(
            boolean takesAll,
            Map<String, Attribute> attributes,
            Optional<TextForm> text,
            List<Entry> children) {}

    private Outline(Map<String, Entry> definitions) {
        this.definitions = definitions;
    }

    /** Returns the outline in the resource {@code name} of this package. */
    static Outline read(String name) {
        try (InputStream file = Objects.requireNonNull(Outline.class.getResourceAsStream(name))) {
            return parse(new String(file.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Parses an outline.
     *
     * @throws IllegalArgumentException if {@code text} is not an outline
     */
    static Outline parse(String text) {
        var definitions = new LinkedHashMap<String, Entry>();
        var open = new ArrayList<Entry>();
        for (String line : text.lines().toList()) {
            String content = line.strip();
            if (content.isEmpty() || content.startsWith("#")) {
                continue;
            }
            int depth = (line.length() - line.stripLeading().length()) / 2;
            if (depth > open.size()) {
                throw new IllegalArgumentException("too deep: " + line);
            }
            Entry entry = entry(content, depth == 0);
            open.subList(depth, open.size()).clear();
            if (depth == 0) {
                definitions.put(entry.name, entry);
            } else {
                open.getLast().contents.children.add(entry);
            }
            open.add(entry);
        }
        var outline = new Outline(definitions);
        definitions.values().forEach(outline::checkReferences);
        return outline;
    }

    private static Entry entry(String line, boolean isDefinition) {
        String[] said = line.split("; ", 2);
        List<String> words = List.of(said[0].split(" +"));
        Treatment treatment =
                isDefinition
                        ? Treatment.READ
                        : switch (words.getFirst()) {
                            case "+" -> Treatment.READ;
                            case "-" -> Treatment.HINT;
                            case "~" -> Treatment.LEFT_OUT;
                            case "!" -> Treatment.REFUSED;
                            default -> throw new IllegalArgumentException("no treatment: " + line);
                        };
        int first = isDefinition ? 0 : 1;
        var attributes = new LinkedHashMap<String, Attribute>();
        Optional<TextForm> text = Optional.empty();
        Optional<String> reference = Optional.empty();
        for (String word : words.subList(first + 1, words.size())) {
            switch (word.charAt(0)) {
                case '@' -> {
                    String[] parts = word.substring(1).split(":", 2);
                    boolean isRequired = parts[0].endsWith("!");
                    attributes.put(
                            isRequired ? parts[0].substring(0, parts[0].length() - 1) : parts[0],
                            new Attribute(
                                    isRequired,
                                    parts.length == 1
                                            ? Optional.empty()
                                            : Optional.of(TextForm.parse(parts[1]))));
                }
                case ':' -> text = Optional.of(TextForm.parse(word.substring(1)));
                case '&' -> reference = Optional.of(word);
                case '*' -> {}
                default -> {
                    if (!word.equals("once") && !word.equals("required")) {
                        throw new IllegalArgumentException("what is '" + word + "': " + line);
                    }
                }
            }
        }
        return new Entry(
                words.get(first),
                new Occurrence(
                        treatment,
                        said.length == 1 ? "it is not used" : said[1],
                        words.contains("required"),
                        words.contains("once")),
                new Contents(words.contains("*"), attributes, text, new ArrayList<>()),
                reference);
    }

    private void checkReferences(Entry entry) {
        entry.reference.ifPresent(name -> {
            if (!definitions.containsKey(name)) {
                throw new IllegalArgumentException(entry.name + ": there is no " + name);
            }
        });
        entry.contents.children.forEach(this::checkReferences);
    }

    /** Returns {@code entry} with the contents of the line that it includes added to its own. */
    private Entry whole(Entry entry) {
        if (entry.reference.isEmpty()) {
            return entry;
        }
        Contents own = entry.contents;
        Contents other =
                whole(Objects.requireNonNull(definitions.get(entry.reference.get()))).contents;
        var attributes = new LinkedHashMap<>(other.attributes);
        attributes.putAll(own.attributes);
        var children = new ArrayList<>(other.children);
        children.addAll(own.children);
        return new Entry(
                entry.name,
                entry.occurrence,
                new Contents(
                        own.takesAll || other.takesAll,
                        attributes,
                        own.text.or(() -> other.text),
                        children),
                Optional.empty());
    }

    /** Returns the names of the lines at the left margin. */
    Set<String> names() {
        return new TreeSet<>(definitions.keySet());
    }

    /**
     * Reports the elements and attributes in {@code element} that are unknown, not implemented or
     * without effect.
     *
     * @param definition the name of a line without indentation
     */
    void check(String definition, XmlElement element, Findings findings) {
        Entry entry = definitions.get(definition);
        if (entry == null) {
            throw new IllegalArgumentException("no " + definition);
        }
        check(whole(entry), element, false, findings);
    }

    private void check(Entry entry, XmlElement element, boolean isHint, Findings findings) {
        checkAttributes(entry, element);
        checkText(entry, element);
        if (entry.contents.takesAll) {
            return;
        }
        Map<String, Entry> children = new LinkedHashMap<>();
        entry.contents.children.forEach(child -> children.put(child.name, child));
        var seen = new HashSet<String>();
        for (XmlElement child : element.children()) {
            Entry of = children.get(child.name());
            if (of == null) {
                problem(child, unknown("element", child.name(), element, children.keySet()));
            } else {
                boolean isFirst = seen.add(child.name());
                if (of.occurrence.isOnce && !isFirst) {
                    problem(
                            child,
                            "%s/%s is declared twice".formatted(element.name(), child.name()));
                }
                check(whole(of), element, child, isFirst, isHint, findings);
            }
        }
        for (Entry child : entry.contents.children) {
            if (child.occurrence.isRequired && !seen.contains(child.name)) {
                problem(element, "%s needs %s".formatted(shown(element), child.name));
            }
        }
    }

    private void check(
            Entry entry,
            XmlElement parent,
            XmlElement child,
            boolean isFirst,
            boolean isHint,
            Findings findings) {
        String path = parent.name() + "/" + child.name();
        boolean staysHint = isHint;
        switch (entry.occurrence.treatment) {
            case READ -> {}
            case HINT -> {
                if (isFirst && !isHint) {
                    findings.inform(place(child) + ": " + path + " has no effect");
                }
                staysHint = true;
            }
            case LEFT_OUT -> {
                if (!isHint) {
                    findings.warn(
                            place(child)
                                    + ": "
                                    + path
                                    + " is left out: "
                                    + entry.occurrence.reason);
                }
                staysHint = true;
            }
            case REFUSED -> {
                problem(child, path + " cannot be used: " + entry.occurrence.reason);
                return;
            }
        }
        check(entry, child, staysHint, findings);
    }

    private static void checkAttributes(Entry entry, XmlElement element) {
        element.attributes()
                .forEach((name, value) -> {
                    Attribute attribute = entry.contents.attributes.get(name);
                    if (attribute != null) {
                        attribute
                                .form
                                .flatMap(form -> form.problem(value))
                                .ifPresent(problem ->
                                        element.file()
                                                .problem(
                                                        element,
                                                        name,
                                                        "%s/@%s: %s"
                                                                .formatted(
                                                                        element.name(),
                                                                        name,
                                                                        problem)));
                    } else if (!entry.contents.takesAll || !entry.contents.attributes.isEmpty()) {
                        element.file()
                                .problem(
                                        element,
                                        name,
                                        unknown(
                                                "attribute",
                                                name,
                                                element,
                                                entry.contents.attributes.keySet()));
                    }
                });
        entry.contents.attributes.forEach((name, attribute) -> {
            if (attribute.isRequired && element.attribute(name).orElse("").isEmpty()) {
                problem(
                        element,
                        "%s needs %s%s"
                                .formatted(
                                        element.name(),
                                        name,
                                        attribute
                                                .form
                                                .map(form -> ": " + form.expected())
                                                .orElse("")));
            }
        });
    }

    private static void checkText(Entry entry, XmlElement element) {
        if (entry.contents.text.isPresent()) {
            entry.contents
                    .text
                    .get()
                    .problem(element.text())
                    .ifPresent(problem -> problem(element, element.name() + ": " + problem));
        } else if (!entry.contents.takesAll && !element.text().isEmpty()) {
            problem(element, "expected no text in %s".formatted(element.name()));
        }
    }

    private static String place(XmlElement element) {
        return element.file().place(element);
    }

    private static String shown(XmlElement element) {
        return element.name() + element.attribute("id").map(id -> " '" + id + "'").orElse("");
    }

    private static String unknown(
            String what, String name, XmlElement element, Collection<String> names) {
        var sorted = new TreeSet<>(names);
        return "unknown %s '%s' %s %s; %s%s"
                .formatted(
                        what,
                        name,
                        what.equals("element") ? "in" : "of",
                        element.name(),
                        sorted.isEmpty()
                                ? "expected no " + what + "s"
                                : "expected %ss out of %s"
                                        .formatted(what, String.join(", ", sorted)),
                        NearestName.hint(name, sorted));
    }

    private static void problem(XmlElement element, String problem) {
        element.file().problem(element, problem);
    }
}
