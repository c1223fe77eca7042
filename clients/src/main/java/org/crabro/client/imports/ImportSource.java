package org.crabro.client.imports;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
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
        /** A directory of text and Markdown files, or of mails. */
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
                    default ->
                            throw new IOException(
                                    "cannot import "
                                            + path
                                            + ": expected a directory of text or Markdown files, or"
                                            + " of mails, or a file that ends in .csv, .tsv, .jsonl,"
                                            + " .ndjson, .json, .parquet, .mbox or .eml");
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
        if (kind != Kind.CSV && kind != Kind.NOTES) {
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
                    case MBOX -> MailRecords.open(List.of(path), losses);
                    case NOTES -> directory(leaving, losses);
                },
                losses);
    }

    /** A directory with mails and without texts is one of mails. */
    private RecordReader directory(Consumer<Path> leaving, ImportLosses losses) throws IOException {
        FilesBelow paths = FilesBelow.in(path, links);
        paths.leaving().stream().filter(this::isShown).forEach(leaving);
        List<Path> files = paths.files().stream().filter(this::isShown).toList();
        List<Path> mails = files.stream().filter(MailRecords::isMail).toList();
        return mails.isEmpty() || files.stream().anyMatch(NoteRecords::isText)
                ? NoteRecords.open(path, files, encoding)
                : MailRecords.open(mails, losses);
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
