package org.crabro.server.settings;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The text form of settings.
 *
 * <pre>
 * file       = { line }
 * line       = blank | "#" text | assignment
 * assignment = name "=" value
 * </pre>
 *
 * A file is UTF-8 of at most {@value #BYTES_MAX} bytes. Blanks around names and values are ignored.
 */
public final class SettingsFile {
    /** Larger files are refused. */
    static final int BYTES_MAX = 1 << 20;

    private SettingsFile() {}

    /**
     * Reads a file.
     *
     * @throws InvalidSettingsException if a line is no assignment, or a name is assigned twice
     * @throws IOException if the file cannot be read; the message names it
     */
    public static List<Assignment> read(Path file) throws IOException {
        if (!Files.isRegularFile(file)) {
            throw new IOException("there is no settings file '%s'".formatted(file));
        }
        if (Files.size(file) > BYTES_MAX) {
            throw new IOException(
                    "the settings file '%s' is larger than %d bytes".formatted(file, BYTES_MAX));
        }
        List<String> lines;
        try {
            lines = Files.readAllLines(file);
        } catch (CharacterCodingException e) {
            throw new IOException("the settings file '%s' is not UTF-8".formatted(file), e);
        }
        var assignments = new ArrayList<Assignment>();
        var problems = new ArrayList<String>();
        Map<String, String> places = new HashMap<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            String place = "%s:%d".formatted(file, i + 1);
            int equals = line.indexOf('=');
            if (equals <= 0) {
                problems.add(
                        "%s: expected 'name = value' or a comment that begins with '#', found '%s'"
                                .formatted(place, line));
                continue;
            }
            Assignment assignment = split(line, equals, place);
            String before = places.putIfAbsent(assignment.name(), place);
            if (before == null) {
                assignments.add(assignment);
            } else {
                problems.add(
                        "%s: '%s' is already set at %s"
                                .formatted(place, assignment.name(), before));
            }
        }
        if (!problems.isEmpty()) {
            throw new InvalidSettingsException(problems);
        }
        return assignments;
    }

    /**
     * Reads the value of a command line option.
     *
     * @throws InvalidSettingsException if {@code text} is no assignment
     */
    public static Assignment ofOption(String option, String text) {
        int equals = text.indexOf('=');
        String place = "%s %s".formatted(option, text);
        if (equals <= 0) {
            throw new InvalidSettingsException(List.of(place + ": expected 'NAME=VALUE'"));
        }
        return split(text, equals, place);
    }

    private static Assignment split(String text, int equals, String place) {
        return new Assignment(
                text.substring(0, equals).strip(), text.substring(equals + 1).strip(), place);
    }
}
