package org.crabro.client.imports;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.temporal.ChronoUnit;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The text and Markdown files below a directory, with path, title, folder, time of the last change
 * and text. Hidden files and directories are left out.
 */
final class NoteRecords implements RecordReader {
    private static final Set<String> ENDINGS = Set.of("md", "markdown", "txt", "text");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+[ \\t]+(.+)$");
    private static final int LONGEST = 8 << 20;

    private final Path directory;
    private final Iterator<Path> files;
    private final Optional<Charset> encoding;
    private String place = "";

    private NoteRecords(Path directory, List<Path> files, Optional<Charset> encoding) {
        this.directory = directory;
        this.encoding = encoding;
        this.files = files.iterator();
    }

    /**
     * Opens the texts of a directory.
     *
     * @param given its files, those that are no texts included
     * @param encoding the character set of all; without it they are UTF-8 or windows-1252
     */
    static NoteRecords open(Path directory, List<Path> given, Optional<Charset> encoding)
            throws IOException {
        List<Path> files = given.stream().filter(NoteRecords::isText).toList();
        if (files.isEmpty()) {
            throw new IOException(
                    directory + " has no text or Markdown files (.md, .markdown, .txt, .text)");
        }
        return new NoteRecords(directory, files, encoding);
    }

    /** Returns whether the name of a file is one of texts. */
    static boolean isText(Path file) {
        String name = String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
        return ENDINGS.contains(name.substring(name.lastIndexOf('.') + 1));
    }

    @Override
    public Optional<Map<String, Object>> next() throws IOException {
        if (!files.hasNext()) {
            return Optional.empty();
        }
        Path file = files.next();
        if (Files.size(file) > LONGEST) {
            throw new IOException("%s has more than %,d bytes".formatted(file, LONGEST));
        }
        Path relative = directory.relativize(file);
        place = relative.toString().replace('\\', '/');
        String text = text(file);
        Map<String, Object> record = new LinkedHashMap<>();
        record.put("path", place);
        record.put("title", title(file, text));
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

    private String text(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        DecodedBytes decoded =
                encoding.map(each -> DecodedBytes.in(each, bytes))
                        .orElseGet(() -> DecodedBytes.of(bytes, null));
        if (!decoded.isExact()) {
            throw new IOException(file + " has bytes that are not in the given --encoding");
        }
        return decoded.text();
    }

    @Override
    public String place() {
        return place;
    }

    private static String title(Path file, String text) {
        Matcher heading = HEADING.matcher(text);
        if (heading.find()) {
            String title = withoutEnd(heading.group(1));
            if (!title.isEmpty()) {
                return title;
            }
        }
        String name = String.valueOf(file.getFileName());
        return name.substring(0, name.lastIndexOf('.'));
    }

    /** Returns a heading without blanks and number signs at its end. */
    private static String withoutEnd(String heading) {
        int end = heading.length();
        while (end > 0 && " \t#".indexOf(heading.charAt(end - 1)) >= 0) {
            end--;
        }
        return heading.substring(0, end);
    }

    @Override
    public void close() {
        // Each file is closed when it is read.
    }
}
