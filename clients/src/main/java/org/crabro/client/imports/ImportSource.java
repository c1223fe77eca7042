package org.crabro.client.imports;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.crabro.client.file.FilesBelow;

/**
 * Something that can be imported.
 *
 * @param kind decided by the ending of the name
 * @param links which links of a directory are followed
 * @param encoding the character set of a table in a text file, or of the texts of a directory
 */
public record ImportSource(
        Path path, Kind kind, FilesBelow.Links links, Optional<Charset> encoding) {
    private static final String ENDINGS =
            ".csv, .tsv, .jsonl, .ndjson, .json, .parquet, .mbox, .eml, .vcf, .ics, .md, .txt,"
                    + " .html or .pdf";

    /** Endings of files that need an import of their own. */
    private static final Set<String> OTHERS =
            Set.of(
                    "csv", "tsv", "json", "jsonl", "ndjson", "parquet", "mbox", "mbx", "eml", "vcf",
                    "vcard", "ics", "ical");

    private static final int SKIPPED_SHOWN = 5;

    /** What is imported. */
    public enum Kind {
        /** A table: the first line has the names of the columns. */
        CSV,
        /** A JSON object on each line, or an array of objects. */
        JSON,
        /** A table whose columns have types. */
        PARQUET,
        /** Mails, one after another, or one. */
        MBOX,
        /** Contacts, events or tasks. */
        CARDS,
        /** A text, Markdown, HTML or PDF file, or a chat in a text file. */
        NOTE,
        /** A directory of text, Markdown, HTML and PDF files, of mails, or of a chat of Slack. */
        NOTES
    }

    /**
     * Returns the source at a path.
     *
     * @throws NoSuchFileException if there is none
     * @throws IOException if its kind cannot be imported; the message lists those that can
     */
    public static ImportSource of(Path path) throws IOException {
        if (!Files.exists(path)) {
            throw new NoSuchFileException(path.toString());
        }
        if (Files.isDirectory(path)) {
            return new ImportSource(path, Kind.NOTES, FilesBelow.Links.INSIDE, Optional.empty());
        }
        String name = fileName(path).toLowerCase(Locale.ROOT);
        return new ImportSource(
                path,
                switch (name.substring(name.lastIndexOf('.') + 1)) {
                    case "csv", "tsv" -> Kind.CSV;
                    case "json", "jsonl", "ndjson" -> Kind.JSON;
                    case "mbox", "mbx", "eml" -> Kind.MBOX;
                    case "parquet" -> Kind.PARQUET;
                    case "vcf", "vcard", "ics", "ical" -> Kind.CARDS;
                    case "md", "markdown", "txt", "text", "html", "htm", "xhtml", "pdf" ->
                            Kind.NOTE;
                    default ->
                            throw new IOException(
                                    "cannot import "
                                            + path
                                            + ": expected a directory of text, Markdown, HTML or"
                                            + " PDF files, or of mails, or a file that ends in "
                                            + ENDINGS);
                },
                FilesBelow.Links.INSIDE,
                Optional.empty());
    }

    /** Returns the same source with all links of a directory followed. */
    public ImportSource followingLinks() {
        return new ImportSource(path, kind, FilesBelow.Links.ALL, encoding);
    }

    /**
     * Returns the same source in a character set.
     *
     * @param name as browsers understand it
     * @throws IOException if the name is unknown, or files of this kind name their set themselves
     */
    public ImportSource in(String name) throws IOException {
        if (kind != Kind.CSV && kind != Kind.NOTES && kind != Kind.NOTE) {
            throw new IOException(
                    "--encoding is for .csv, .tsv and directories of text files, and not for "
                            + path);
        }
        Charset charset =
                TextEncodings.named(name)
                        .orElseThrow(() ->
                                new IOException(
                                        "--encoding is '%s': expected a character set, such as windows-1252 or utf-16le"
                                                .formatted(name)));
        return new ImportSource(path, kind, links, Optional.of(charset));
    }

    private static String fileName(Path path) {
        Path name = path.toAbsolutePath().normalize().getFileName();
        return name == null ? "" : name.toString();
    }

    /** Returns a name for the document type, made of the name of the file. */
    public String typeName() {
        String name = fileName(path);
        int dot = name.lastIndexOf('.');
        String stem = dot > 0 ? name.substring(0, dot) : name;
        String simple = FieldNaming.simple(stem).toLowerCase(Locale.ROOT);
        return simple.isEmpty() ? "record" : simple;
    }

    /**
     * Opens the records.
     *
     * @throws IOException if they cannot be read
     */
    public RecordReader open() throws IOException {
        return open(_ -> {}, new ImportLosses());
    }

    /**
     * Opens the records.
     *
     * @param leaving gets the links that lead out of the directory and are not followed
     * @param losses counts the values that cannot be stored as they are given
     * @throws IOException if they cannot be read
     */
    public RecordReader open(Consumer<Path> leaving, ImportLosses losses) throws IOException {
        return new FlatRecords(
                switch (kind) {
                    case CSV -> CsvRecords.open(path, encoding);
                    case JSON -> JsonRecords.open(path, losses);
                    case PARQUET -> ParquetRecords.open(path, losses);
                    case MBOX -> MailRecords.open(path, losses);
                    case CARDS -> CardFile.open(path, losses);
                    case NOTE -> note(losses);
                    case NOTES -> directory(leaving, losses);
                },
                losses);
    }

    /** A text file is a chat, or one record. */
    private RecordReader note(ImportLosses losses) throws IOException {
        Optional<RecordReader> chat =
                path.toString().toLowerCase(Locale.ROOT).endsWith(".txt")
                        ? ChatFile.open(path, encoding, losses)
                        : Optional.empty();
        if (chat.isPresent()) {
            return chat.get();
        }
        Path folder = Optional.ofNullable(path.toAbsolutePath().getParent()).orElse(path);
        return NoteRecords.open(folder, List.of(path.toAbsolutePath()), encoding, losses);
    }

    /** An export of Slack; a directory with mails and without texts is one of mails. */
    private RecordReader directory(Consumer<Path> leaving, ImportLosses losses) throws IOException {
        FilesBelow paths = FilesBelow.in(path, links);
        paths.leaving().stream().filter(this::isShown).forEach(leaving);
        List<Path> slack = SlackRecords.files(path, paths.files());
        if (!slack.isEmpty()) {
            return SlackRecords.open(path, slack, losses);
        }
        List<Path> mails = paths.files().stream().filter(this::isMail).toList();
        return mails.isEmpty() || areNotes(paths)
                ? NoteRecords.open(
                        path,
                        paths.files().stream().filter(this::isShown).toList(),
                        encoding,
                        losses)
                : MailRecords.open(path, mails, losses);
    }

    private boolean areNotes(FilesBelow paths) {
        return paths.files().stream().anyMatch(each -> isShown(each) && NoteRecords.isText(each));
    }

    private boolean isMail(Path file) {
        // The folders of a Maildir begin with dots.
        return MailRecords.isInMaildir(file) || (isShown(file) && MailRecords.isMail(file));
    }

    /**
     * Returns lines that say which files of a directory are not read, and how to import them.
     *
     * @throws IOException if the directory cannot be read
     */
    public List<String> skipped() throws IOException {
        if (kind != Kind.NOTES) {
            return List.of();
        }
        FilesBelow paths = FilesBelow.in(path, links);
        boolean areNotes = areNotes(paths);
        Set<Path> slack = Set.copyOf(SlackRecords.files(path, paths.files()));
        Map<String, Long> counts = new TreeMap<>();
        List<Path> others = new ArrayList<>();
        for (Path file : paths.files()) {
            boolean isRead = isRead(file, slack, areNotes);
            if (isRead || !isShown(file)) {
                continue;
            }
            String name = fileName(file);
            int dot = name.lastIndexOf('.');
            String ending = dot < 0 ? "" : name.substring(dot + 1).toLowerCase(Locale.ROOT);
            counts.merge(ending.isEmpty() ? "without an ending" : "." + ending, 1L, Long::sum);
            if (OTHERS.contains(ending)) {
                others.add(file);
            }
        }
        if (counts.isEmpty()) {
            return List.of();
        }
        List<String> lines = new ArrayList<>();
        lines.add(
                "Left out: "
                        + counts.entrySet().stream()
                                .map(each -> each.getValue() + " " + each.getKey())
                                .collect(Collectors.joining(", ")));
        others.stream().limit(SKIPPED_SHOWN).map(Path::toString).forEach(lines::add);
        return lines;
    }

    private boolean isRead(Path file, Set<Path> slack, boolean areNotes) {
        if (!slack.isEmpty()) {
            return slack.contains(file);
        }
        return areNotes ? NoteRecords.isText(file) : isMail(file);
    }

    private boolean isShown(Path file) {
        for (Path part : path.relativize(file)) {
            if (part.toString().startsWith(".")) {
                return false;
            }
        }
        return true;
    }
}
