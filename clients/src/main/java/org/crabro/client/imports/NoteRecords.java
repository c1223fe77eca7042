package org.crabro.client.imports;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
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
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.crabro.client.file.FilesBelow;

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
    private final ImportLosses losses;
    private String place = "";

    private NoteRecords(Path directory, List<Path> files, ImportLosses losses) {
        this.directory = directory;
        this.files = files.iterator();
        this.losses = losses;
    }

    /**
     * @param links which links are followed; {@code leaving} gets the others
     */
    static NoteRecords open(
            Path directory, FilesBelow.Links links, Consumer<Path> leaving, ImportLosses losses)
            throws IOException {
        FilesBelow found = FilesBelow.in(directory, links);
        found.leaving().stream()
                .filter(file -> isShown(directory.relativize(file)))
                .forEach(leaving);
        List<Path> files =
                found.files().stream()
                        .filter(file -> isShown(directory.relativize(file)))
                        .filter(NoteRecords::isText)
                        .toList();
        if (files.isEmpty()) {
            throw new IOException(
                    directory + " has no text or Markdown files (.md, .markdown, .txt, .text)");
        }
        return new NoteRecords(directory, files, losses);
    }

    private static boolean isShown(Path relative) {
        for (Path part : relative) {
            if (part.toString().startsWith(".")) {
                return false;
            }
        }
        return true;
    }

    private static boolean isText(Path file) {
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
        String text = text(Files.readAllBytes(file));
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

    private String text(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException _) {
            losses.add("text", "bytes that are no UTF-8 become U+FFFD", place);
            return new String(bytes, StandardCharsets.UTF_8);
        }
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
