package org.crabro.client.imports;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.crabro.client.notes.FrontMatter;
import org.crabro.client.notes.FrontMatterException;
import org.crabro.client.notes.NoteTitle;
import org.crabro.client.notes.PlainScalar;
import org.crabro.client.pdf.PdfException;
import org.crabro.client.pdf.PdfReader;
import org.crabro.client.pdf.PdfText;

/**
 * The text, Markdown, HTML and PDF files below a directory, with path, title, front matter, folder,
 * time of the last change and text. Hidden files and directories are left out.
 */
final class NoteRecords implements RecordReader {
    private static final Set<String> ENDINGS = Set.of("md", "markdown", "txt", "text");
    private static final Set<String> PAGES = Set.of("html", "htm", "xhtml");

    /** Members of each record, which front matter does not replace. */
    private static final Set<String> OWN = Set.of("path", "folder", "changed", "text");

    private static final String PDF = "pdf";

    private static final int LONGEST = 8 << 20;

    private final Path directory;
    private final Iterator<Path> files;
    private final Optional<Charset> encoding;
    private final ImportLosses losses;
    private final PdfReader pdfs = new PdfReader();
    private String place = "";

    private NoteRecords(
            Path directory, List<Path> files, Optional<Charset> encoding, ImportLosses losses) {
        this.losses = losses;
        this.directory = directory;
        this.encoding = encoding;
        this.files = files.iterator();
    }

    /**
     * Opens the texts of a directory.
     *
     * @param given its files, those that are no texts included
     * @param encoding the character set of all; without it they are UTF-8 or windows-1252, pages
     *     what they say
     * @param losses gets front matter that cannot be read
     */
    static NoteRecords open(
            Path directory, List<Path> given, Optional<Charset> encoding, ImportLosses losses)
            throws IOException {
        List<Path> files = given.stream().filter(NoteRecords::isText).toList();
        if (files.isEmpty()) {
            throw new IOException(
                    directory
                            + " has no text, Markdown, HTML or PDF files (.md, .markdown, .txt,"
                            + " .text, .html, .htm, .xhtml, .pdf)");
        }
        return new NoteRecords(directory, files, encoding, losses);
    }

    /** Returns whether the name of a file is one of texts. */
    static boolean isText(Path file) {
        return ENDINGS.contains(ending(file)) || isPage(file) || isPdf(file);
    }

    private static boolean isPdf(Path file) {
        return ending(file).equals(PDF);
    }

    private static boolean isPage(Path file) {
        return PAGES.contains(ending(file));
    }

    private static String ending(Path file) {
        String name = String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
        return name.substring(name.lastIndexOf('.') + 1);
    }

    @Override
    public Optional<Map<String, Object>> next() throws IOException {
        if (!files.hasNext()) {
            return Optional.empty();
        }
        Path file = files.next();
        Path relative = directory.relativize(file);
        place = relative.toString().replace('\\', '/');
        Map<String, Object> record = new LinkedHashMap<>();
        record.put("path", place);
        String text =
                isPdf(file)
                        ? addPdf(file, record)
                        : isPage(file)
                                ? addPage(content(file), record)
                                : addNote(content(file), record);
        record.putIfAbsent("title", stem(file));
        Path folder = relative.getParent();
        if (folder != null) {
            record.put("folder", folder.toString().replace('\\', '/'));
        }
        // File systems count in different fractions of seconds.
        record.put(
                "changed",
                Files.getLastModifiedTime(file).toInstant().truncatedTo(ChronoUnit.SECONDS));
        record.put("text", text);
        return Optional.of(record);
    }

    /** Adds what a PDF file says of itself, and returns its text; without one, it has a name. */
    private String addPdf(Path file, Map<String, Object> record) throws IOException {
        try {
            PdfText pdf = pdfs.read(file);
            pdf.title().ifPresent(title -> record.put("title", title));
            pdf.author().ifPresent(author -> record.put("author", author));
            pdf.created().ifPresent(date -> record.put("date", date));
            if (pdf.isCut()) {
                losses.add("text", "the end of a long PDF file is left out", place);
            }
            if (pdf.text().isBlank()) {
                losses.add("text", "a PDF file has no text, only pictures", place);
            }
            return pdf.text();
        } catch (PdfException e) {
            losses.add("text", "a PDF file is not read: " + e.getMessage(), place);
            return "";
        }
    }

    private static String addPage(String content, Map<String, Object> record) {
        HtmlText page = HtmlText.of(content);
        page.title().ifPresent(title -> record.put("title", title));
        return page.text();
    }

    /** Adds the front matter and the title of a note, and returns its text. */
    private String addNote(String content, Map<String, Object> record) {
        Optional<FrontMatter> front = Optional.empty();
        try {
            front = FrontMatter.of(content);
        } catch (FrontMatterException e) {
            losses.add("front matter", "not read, and left in the text: " + e.getMessage(), place);
        }
        String text = front.map(FrontMatter::text).orElse(content);
        Map<String, Object> values = front.map(FrontMatter::values).orElse(Map.of());
        Object title = values.get("title");
        if (title instanceof String || title instanceof PlainScalar) {
            record.put("title", value(title));
        } else {
            NoteTitle.of(text).ifPresent(heading -> record.put("title", heading));
        }
        values.forEach((name, value) -> {
            if (record.get(name) == null || OWN.contains(name) || !name.equals("title")) {
                boolean isTaken = OWN.contains(name) || record.containsKey(name);
                record.put(
                        isTaken ? name + " 2" : name,
                        name.equals("tags") ? tags(value) : value(value));
            }
        });
        return text;
    }

    /** Tags in one text are separated by commas. */
    private static Object tags(Object value) {
        String text =
                switch (value) {
                    case String quoted -> quoted;
                    case PlainScalar(String plain) -> plain;
                    default -> "";
                };
        return text.isEmpty()
                ? value(value)
                : Arrays.stream(text.split(",", -1))
                        .map(String::strip)
                        .filter(tag -> !tag.isEmpty())
                        .map(tag -> (Object) tag)
                        .toList();
    }

    /** Returns a value of front matter as records have it. */
    private static Object value(Object given) {
        return switch (given) {
            case PlainScalar(String text) -> TextValue.of(text).orElse(text);
            case List<?> list -> list.stream().map(NoteRecords::value).toList();
            case Map<?, ?> map -> {
                Map<String, Object> values = new LinkedHashMap<>();
                map.forEach((name, each) -> values.put((String) name, value(each)));
                yield values;
            }
            // A null in a list.
            case Optional<?> _ -> NullElement.NULL;
            default -> given;
        };
    }

    private String content(Path file) throws IOException {
        byte[] bytes = TextFiles.bytes(file, LONGEST);
        DecodedBytes decoded =
                isPage(file)
                        ? HtmlText.decoded(bytes, encoding)
                        : encoding.map(each -> DecodedBytes.in(each, bytes))
                                .orElseGet(() -> DecodedBytes.of(bytes, null));
        if (!decoded.isExact()) {
            String wanted = encoding.isPresent() ? "the given --encoding" : "its character set";
            throw new IOException(file + " has bytes that are not in " + wanted);
        }
        return decoded.text();
    }

    @Override
    public String place() {
        return place;
    }

    @Override
    public Optional<String> name() {
        return Optional.of(place);
    }

    /** Returns the name of a file without its ending. */
    private static String stem(Path file) {
        String name = String.valueOf(file.getFileName());
        return name.substring(0, name.lastIndexOf('.'));
    }

    @Override
    public void close() {
        // Each file is closed when it is read.
        pdfs.close();
    }
}
