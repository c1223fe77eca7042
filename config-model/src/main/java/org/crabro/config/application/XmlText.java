package org.crabro.config.application;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import javax.xml.stream.Location;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/**
 * The text of an XML file: reads it into elements that know their places, and shows places with the
 * lines around them.
 *
 * <p>Neither document types nor entities of the file's own are accepted, so a file cannot make us
 * read others, nor grow while it is read.
 */
public final class XmlText {
    /** Deeper than any meaningful file, and far below the limit of the stack. */
    private static final int DEPTH_LIMIT = 64;

    /**
     * The maximum number of elements and attributes of a file, and of all files that are read into
     * one tree. Each takes a few hundred bytes of memory.
     */
    public static final int NODES_MAX = 50_000;

    /** The number of characters of a long line that are shown on each side of a position. */
    private static final int WIDTH = 120;

    private static final String OPEN = "<siblings>\n";
    private static final String CLOSE = "\n</siblings>";
    private static final Pattern COMMENT = Pattern.compile("<!--.*?-->", Pattern.DOTALL);

    /** The maximum number of parts that are read of a file that is not well formed. */
    private static final int SECTIONS_MAX = 100;

    private static final Pattern DECLARATION = Pattern.compile("\\s*<\\?xml[^>]*\\?>");

    /** The number of lines shown above and below a position. */
    private static final int CONTEXT = 3;

    private final String file;
    private final String text;
    private final Findings findings;

    /** The offset of each line's start; cached because positions are computed often. */
    private final int[] lineStarts;

    /** The number of lines that were added before the text to parse it. */
    private int linesBefore;

    /** Whether the text that was parsed so far is well formed. */
    private boolean isWhole = true;

    /** The offset of the first error in the text of the last parse; -1 if there is none. */
    private int brokenAt = -1;

    /** The end of the text of the last parse, if it is well formed. */
    private int end;

    /** The number of elements and attributes that were read so far. */
    private int nodes;

    /** The offsets of incomplete elements. */
    private final Set<Integer> cut = new HashSet<>();

    public XmlText(String file, String text, Findings findings) {
        this.file = file;
        this.text = text;
        this.findings = findings;
        this.lineStarts =
                IntStream.concat(
                                IntStream.of(0),
                                IntStream.range(0, text.length())
                                        .filter(i -> text.charAt(i) == '\n')
                                        .map(i -> i + 1))
                        .toArray();
    }

    /**
     * Returns the elements of a file that can have several root elements, and can use prefixes
     * declared by the including file. If the file is not well formed, returns the readable
     * elements; see {@link #parts(Set)}.
     */
    public List<XmlElement> siblings(Set<String> sections) {
        Matcher declaration = DECLARATION.matcher(text);
        // Replaced by as many blanks, so that offsets stay the same.
        String body =
                declaration.lookingAt()
                        ? blank(declaration.group()) + text.substring(declaration.end())
                        : text;
        return parts(OPEN + body + CLOSE, OPEN.length(), sections)
                .map(XmlElement::children)
                .orElse(List.of());
    }

    /** Returns the root, or empty after a report that the file is not well formed. */
    public Optional<XmlElement> root() {
        return parsed(text, 0, true).filter(_ -> isWhole);
    }

    /** Returns whether the part of the file that was parsed so far is well formed. */
    public boolean isWhole() {
        return isWhole;
    }

    /**
     * Returns the readable parts of the root if the file is not well formed: elements before the
     * error, and elements called {@code sections} after it. Problems of elements that the error cut
     * off are no longer reported, because their missing parts may follow the error.
     *
     * @return empty if not even the root can be read
     */
    public Optional<XmlElement> parts(Set<String> sections) {
        return parts(text, 0, sections);
    }

    private Optional<XmlElement> parts(String whole, int before, Set<String> sections) {
        var elements = new ArrayList<XmlElement>();
        Optional<XmlElement> root =
                parsed(whole, before, before == 0)
                        .map(read -> raised(read, true, sections, elements));
        if (root.isEmpty() || isWhole || sections.isEmpty()) {
            return root;
        }
        Matcher section =
                Pattern.compile("<(?:" + String.join("|", sections) + ")(?=[\\s/>])")
                        .matcher(withoutComments());
        String blank = blank(text);
        int from = brokenAt;
        for (int i = 0;
                i < SECTIONS_MAX
                        && nodes <= NODES_MAX
                        && from < text.length()
                        && section.find(from);
                i++) {
            // The text before is replaced by as many blanks, so that offsets stay the same.
            int start = section.start();
            String remaining = blank.substring(0, start) + text.substring(start);
            parsed(remaining, 0, false)
                    .map(read -> raised(read, false, sections, elements))
                    .ifPresent(elements::add);
            from = Math.max(start + 1, brokenAt < 0 ? end : brokenAt);
        }
        var children = new ArrayList<>(root.get().children());
        children.addAll(elements);
        return Optional.of(root.get().with(root.get().attributes(), children, root.get().text()));
    }

    /**
     * Moves sections out of elements that were cut off; they are only nested there because of the
     * missing end tags.
     */
    private XmlElement raised(
            XmlElement element, boolean isRoot, Set<String> sections, List<XmlElement> into) {
        if (!cut.contains(element.offset())) {
            return element;
        }
        var children = new ArrayList<XmlElement>();
        for (XmlElement child : element.children()) {
            XmlElement raisedChild = raised(child, false, sections, into);
            if (sections.contains(child.name()) && !isRoot) {
                into.add(raisedChild);
            } else {
                children.add(raisedChild);
            }
        }
        return element.with(element.attributes(), children, element.text());
    }

    private String withoutComments() {
        return COMMENT.matcher(text).replaceAll(comment -> blank(comment.group()));
    }

    private static String blank(String text) {
        char[] blank = text.toCharArray();
        for (int i = 0; i < blank.length; i++) {
            blank[i] = blank[i] == '\n' ? '\n' : ' ';
        }
        return String.valueOf(blank);
    }

    /**
     * Parses the root as far as possible and reports the first error.
     *
     * @param parsed the text, possibly with a line before it and one after it
     * @param before the number of characters before the text: one line
     */
    private Optional<XmlElement> parsed(String parsed, int before, boolean checksPrefixes) {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLInputFactory.IS_NAMESPACE_AWARE, checksPrefixes);
        linesBefore = before == 0 ? 0 : 1;
        brokenAt = -1;
        try {
            XMLStreamReader reader = factory.createXMLStreamReader(new StringReader(parsed));
            try {
                return root(reader);
            } finally {
                reader.close();
            }
        } catch (XMLStreamException e) {
            broken(e);
            return Optional.empty();
        }
    }

    private void broken(XMLStreamException e) {
        Location location = e.getLocation();
        broken(location == null ? 0 : offset(location), "not well-formed XML: " + reason(e));
    }

    private void broken(int offset, String problem) {
        isWhole = false;
        brokenAt = offset;
        problem(offset, problem);
    }

    private Optional<XmlElement> root(XMLStreamReader reader) throws XMLStreamException {
        while (reader.hasNext()) {
            int event = reader.next();
            if (event == XMLStreamConstants.DTD) {
                broken(tagStart(reader), "a document type (DTD) is not accepted");
                return Optional.empty();
            }
            if (event == XMLStreamConstants.START_ELEMENT) {
                XmlElement root = element(reader, 1);
                end = offset(reader.getLocation());
                return Optional.of(root);
            }
        }
        broken(0, "there is no element");
        return Optional.empty();
    }

    private XmlElement element(XMLStreamReader reader, int depth) {
        // The element around the text has no offset in the file.
        int offset = depth == 1 && linesBefore > 0 ? -1 : tagStart(reader);
        String name = name(reader.getPrefix(), reader.getLocalName());
        var attributes = new LinkedHashMap<String, String>();
        for (int i = 0; i < reader.getAttributeCount(); i++) {
            String attribute = name(reader.getAttributePrefix(i), reader.getAttributeLocalName(i));
            if (!attribute.startsWith("xmlns")) {
                attributes.put(attribute, reader.getAttributeValue(i).strip());
            }
        }
        var children = new ArrayList<XmlElement>();
        var content = new StringBuilder();
        nodes += 1 + attributes.size();
        if (depth > DEPTH_LIMIT) {
            broken(offset, "elements are nested deeper than " + DEPTH_LIMIT);
        } else if (nodes > NODES_MAX) {
            broken(offset, tooMany("the file has"));
        }
        try {
            boolean isOpen = true;
            while (isOpen && brokenAt < 0) {
                isOpen = read(reader, depth, children, content);
            }
        } catch (XMLStreamException e) {
            broken(e);
        }
        if (brokenAt >= 0) {
            cut.add(offset);
        }
        return new XmlElement(name, attributes, children, content.toString().strip(), offset, this);
    }

    /** Reads the next event of an element; returns whether there may be more. */
    private boolean read(
            XMLStreamReader reader, int depth, List<XmlElement> children, StringBuilder content)
            throws XMLStreamException {
        switch (reader.next()) {
            case XMLStreamConstants.START_ELEMENT -> children.add(element(reader, depth + 1));
            case XMLStreamConstants.END_ELEMENT -> {
                return false;
            }
            case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA ->
                    content.append(reader.getText());
            case XMLStreamConstants.ENTITY_REFERENCE ->
                    broken(
                            Math.max(0, offset(reader.getLocation()) - 1),
                            "entity '" + reader.getLocalName() + "' is not known");
            default -> {
                // Skip comments and processing instructions.
            }
        }
        return true;
    }

    /** Returns the number of elements and attributes that were read. */
    public int nodes() {
        return nodes;
    }

    /** Returns the problem that {@link #NODES_MAX} is exceeded. */
    public static String tooMany(String what) {
        return "%s more than %,d elements and attributes".formatted(what, NODES_MAX);
    }

    private static String name(@Nullable String prefix, String localName) {
        return prefix == null || prefix.isEmpty() ? localName : prefix + ":" + localName;
    }

    /**
     * The parser returns the end of a tag. No attribute can contain a {@code <}, so the tag starts
     * at the last one.
     */
    private int tagStart(XMLStreamReader reader) {
        return Math.max(0, text.lastIndexOf('<', offset(reader.getLocation()) - 1));
    }

    private int offset(Location location) {
        int line = location.getLineNumber() - 1 - linesBefore;
        int offset = lineStarts[Math.clamp(line, 0, lineStarts.length - 1)];
        return Math.clamp(offset + location.getColumnNumber() - 1L, 0, text.length());
    }

    private static String reason(XMLStreamException e) {
        String message = Objects.requireNonNullElse(e.getMessage(), "unknown reason");
        // The message of the JDK parser starts with the position; the reason is on its last line.
        return message.substring(message.lastIndexOf("Message: ") + 1)
                .replaceFirst("^essage: ", "")
                .strip();
    }

    /**
     * Marks {@code element} as incomplete: from now on only problems of its attributes are
     * reported.
     */
    public void cutOff(XmlElement element) {
        element.file().cut.add(element.offset());
    }

    /** Returns whether {@code element} is incomplete. */
    public boolean isCut(XmlElement element) {
        return element.file().cut.contains(element.offset());
    }

    /** Reports {@code problem} with {@code element}. */
    public void problem(XmlElement element, String problem) {
        if (!element.file().cut.contains(element.offset())) {
            element.file().problem(element.offset(), problem);
        }
    }

    /** Reports {@code problem} with an attribute of {@code element}. */
    public void problem(XmlElement element, String attribute, String problem) {
        element.file().attributeProblem(element, attribute, problem);
    }

    /** Adds a warning with the place of an element. */
    public void warn(XmlElement element, String warning) {
        findings.warn(place(element) + ": " + warning);
    }

    private void attributeProblem(XmlElement element, String attribute, String problem) {
        int end = Math.max(element.offset(), text.indexOf('>', element.offset()));
        int at = text.indexOf(" " + attribute, element.offset());
        problem(at < 0 || at > end ? element.offset() : at + 1, problem);
    }

    /** Returns the position of {@code element} as {@code file:line:column}. */
    public String place(XmlElement element) {
        XmlText in = element.file();
        return in.file + ":" + in.line(element.offset()) + ":" + in.column(element.offset());
    }

    /**
     * Returns the position of {@code element} for messages about this file: only the line if the
     * element is in this file.
     */
    public String seen(XmlElement element) {
        return element.file() == this ? "line " + line(element.offset()) : place(element);
    }

    private void problem(int offset, String problem) {
        // A problem above the limit is only counted, so its position is not rendered.
        findings.problem(findings.isFull() ? problem : pointing(offset, problem));
    }

    /** Returns {@code problem} with the position of {@code element} and the lines around it. */
    public String pointing(XmlElement element, String problem) {
        return element.file().pointing(element.offset(), problem);
    }

    private String pointing(int given, String problem) {
        // A position at the end of the file is moved to the end of the last non-blank line.
        int offset = Math.min(given, text.stripTrailing().length());
        int line = line(offset);
        int column = column(offset);
        var message = new StringBuilder();
        message.append(file).append(':').append(line).append(':').append(column);
        message.append(": ").append(problem);
        List<String> lines = text.lines().toList();
        int last = Math.min(lines.size(), line + CONTEXT);
        int width = Integer.toString(last).length();
        // Of long lines, all lines show the same columns around the position.
        boolean isLong = line <= lines.size() && lines.get(line - 1).length() > 2 * WIDTH;
        int from = isLong ? Math.max(0, column - 1 - WIDTH) : 0;
        for (int i = Math.max(1, line - CONTEXT); i <= last; i++) {
            String shown = lines.get(i - 1);
            shown = shown.substring(Math.min(from, shown.length()));
            shown = shown.substring(0, Math.min(2 * WIDTH, shown.length()));
            message.append("\n  ")
                    .append(("%" + width + "d: %s").formatted(i, shown).stripTrailing());
            if (i == line) {
                String before = shown.substring(0, Math.min(column - 1 - from, shown.length()));
                message.append("\n  ")
                        .append(" ".repeat(width + 2))
                        .append(before.replaceAll("[^\t]", " "))
                        .append('^');
            }
        }
        return message.toString();
    }

    private int line(int offset) {
        int insertion = Arrays.binarySearch(lineStarts, offset);
        return insertion >= 0 ? insertion + 1 : -insertion - 1;
    }

    private int column(int offset) {
        return offset - lineStarts[line(offset) - 1] + 1;
    }
}
