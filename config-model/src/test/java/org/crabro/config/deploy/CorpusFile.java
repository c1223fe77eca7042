package org.crabro.config.deploy;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Packages and their expected messages, many in one file.
 *
 * <p>The text before the first case is the package that all cases start from. A case begins with
 * {@code === its name}; then follow its changes, then the messages.
 *
 * <ul>
 *   <li>{@code --- path} and the lines below are a file, new or replacing another one; {@code ---
 *       path -} removes it
 *   <li>{@code ~~~ path}, then {@code some text} {@code =>} {@code another}, each on lines of their
 *       own, replace text that the file has once
 *   <li>{@code +++ marker}, then lines that replace the comment {@code # marker}, or {@code <!--
 *       marker -->}, of one file of the package
 *   <li>{@code @ 2.4/name 2.4/other} names the rules of {@code rules.txt} that the case shows
 *   <li>{@code >>> problems} and {@code >>> notices}, then all lines of messages
 *   <li>{@code >>> values}, then requests and the values of query profiles for them: {@code
 *       profile, a=1: hits=5}
 * </ul>
 */
final class CorpusFile {
    private static final String TOLD = ">>> ";

    private CorpusFile() {}

    /**
     * A package.
     *
     * @param problems empty for a valid application
     * @param notices with their levels
     * @param values requests with the values of query profiles for them
     * @param rules that the case shows
     */
    record Case(
            String name,
            Map<String, String> files,
            String problems,
            String notices,
            String values,
            Set<String> rules) {
        @Override
        public String toString() {
            return name;
        }
    }

    /** The part of a case to which a line belongs. */
    private enum Part {
        NOTHING,
        FILE,
        BEFORE,
        AFTER,
        MARKED,
        PROBLEMS,
        NOTICES,
        VALUES
    }

    /**
     * Returns the cases of {@code file}, which is in the directory {@code corpus} next to this
     * class.
     */
    static List<Case> read(String file) {
        return reading(file).cases;
    }

    /** Returns the package that all cases of {@code file} start from. */
    static Map<String, String> base(String file) {
        return Map.copyOf(reading(file).base);
    }

    private static Reading reading(String file) {
        try (InputStream in =
                Objects.requireNonNull(CorpusFile.class.getResourceAsStream("corpus/" + file))) {
            var reading = new Reading(file);
            reading.read(new String(in.readAllBytes(), StandardCharsets.UTF_8));
            return reading;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static final class Reading {
        private final String file;
        private final Map<String, String> base = new TreeMap<>();
        private final List<Case> cases = new ArrayList<>();
        private Map<String, String> files = base;
        private String name = "";
        private final Set<String> rules = new TreeSet<>();
        private String path = "";
        private Part part = Part.NOTHING;
        private final Map<Part, StringBuilder> texts = new TreeMap<>();

        Reading(String file) {
            this.file = file;
        }

        void read(String text) {
            for (String line : text.lines().toList()) {
                if (line.startsWith("=== ")) {
                    endCase();
                    name = line.substring(4);
                    files = new TreeMap<>(base);
                } else if (line.startsWith("--- ")) {
                    endPart();
                    begin(line.substring(4));
                } else if (line.startsWith("~~~ ")) {
                    endPart();
                    path = line.substring(4);
                    part = Part.BEFORE;
                } else if (line.startsWith("+++ ")) {
                    endPart();
                    path = line.substring(4);
                    part = Part.MARKED;
                } else if (line.startsWith("@ ") && part == Part.NOTHING) {
                    rules.addAll(List.of(line.substring(2).split(" ")));
                } else if (line.equals("=>") && part == Part.BEFORE) {
                    part = Part.AFTER;
                } else if (line.startsWith(TOLD)) {
                    endPart();
                    part = Part.valueOf(line.substring(TOLD.length()).toUpperCase(Locale.ROOT));
                } else if (part != Part.NOTHING || !(line.isBlank() || line.startsWith("#"))) {
                    texts.computeIfAbsent(part, _ -> new StringBuilder()).append(line).append('\n');
                }
            }
            endCase();
        }

        private void begin(String what) {
            if (what.endsWith(" -")) {
                files.remove(what.substring(0, what.length() - 2));
                part = Part.NOTHING;
            } else {
                path = what;
                part = Part.FILE;
            }
        }

        private void endPart() {
            switch (part) {
                case FILE -> files.put(path, text(Part.FILE).stripTrailing() + "\n");
                case BEFORE, AFTER -> replace(text(Part.BEFORE).strip(), text(Part.AFTER).strip());
                case MARKED -> mark(text(Part.MARKED).strip());
                case NOTHING -> {
                    if (texts.containsKey(part)) {
                        throw new IllegalStateException(file + ": " + name + ": stray lines");
                    }
                }
                case PROBLEMS, NOTICES, VALUES -> {
                    // Kept until the case ends.
                }
            }
            texts.remove(Part.FILE);
            texts.remove(Part.BEFORE);
            texts.remove(Part.AFTER);
            texts.remove(Part.MARKED);
            part = Part.NOTHING;
        }

        /** Puts lines in place of the comment that marks where they belong. */
        private void mark(String lines) {
            for (String comment : List.of("# " + path, "<!-- " + path + " -->")) {
                for (Map.Entry<String, String> each : files.entrySet()) {
                    if (each.getValue().lines().map(String::strip).anyMatch(comment::equals)) {
                        path = each.getKey();
                        replace(comment, lines);
                        return;
                    }
                }
            }
            throw new IllegalStateException("%s: %s: no '%s'".formatted(file, name, path));
        }

        private void replace(String before, String after) {
            String text = Objects.requireNonNull(files.get(path), file + ": " + name + ": " + path);
            if (before.isEmpty() || text.split(Pattern.quote(before), -1).length != 2) {
                throw new IllegalStateException(
                        "%s: %s: expected '%s' once in %s".formatted(file, name, before, path));
            }
            files.put(path, text.replace(before, after));
        }

        private void endCase() {
            endPart();
            if (!name.isEmpty()) {
                cases.add(
                        new Case(
                                name,
                                Map.copyOf(files),
                                text(Part.PROBLEMS).strip(),
                                text(Part.NOTICES).strip(),
                                text(Part.VALUES).strip(),
                                Set.copyOf(rules)));
            }
            rules.clear();
            texts.clear();
        }

        private String text(Part of) {
            return texts.getOrDefault(of, new StringBuilder()).toString();
        }
    }
}
