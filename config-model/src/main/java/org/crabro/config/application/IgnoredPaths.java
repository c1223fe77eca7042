package org.crabro.config.application;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * What {@code .vespaignore} leaves out of a package, a glob a line, matched against whole paths.
 *
 * <pre>
 *   line := blank | "#" characters | glob | glob "/"
 *   glob := ( "*" | "?" | "[" ["^"] characters "]" | "\" character | character )*
 * </pre>
 *
 * Neither {@code *} nor {@code ?} stands for a slash. A glob with a slash at its end leaves out the
 * directory with all below it.
 */
public final class IgnoredPaths {
    /** Where it stands in a package. */
    public static final String PATH = ".vespaignore";

    private static final String ALWAYS = ".DS_Store";

    private final List<Pattern> patterns;

    private IgnoredPaths(List<Pattern> patterns) {
        this.patterns = List.copyOf(patterns);
    }

    /**
     * Reads the lines of a file.
     *
     * @throws InvalidPackageException if a glob is not closed: the message says where
     */
    public static IgnoredPaths parse(String text) {
        var patterns = new ArrayList<Pattern>();
        int number = 0;
        for (String each : text.split("\n", -1)) {
            number++;
            String line = each.strip();
            if (!line.isEmpty() && !line.startsWith("#")) {
                patterns.add(pattern(line, number));
            }
        }
        return new IgnoredPaths(patterns);
    }

    private static Pattern pattern(String glob, int line) {
        var regex = new StringBuilder();
        int at = 0;
        while (at < glob.length()) {
            char c = glob.charAt(at);
            switch (c) {
                case '*' -> regex.append("[^/]*");
                case '?' -> regex.append("[^/]");
                case '[' -> {
                    int end = glob.indexOf(']', at + 2);
                    if (end < 0) {
                        throw new InvalidPackageException(
                                "%s:%d: expected ] behind '%s'"
                                        .formatted(PATH, line, glob.substring(at)));
                    }
                    String characters = glob.substring(at + 1, end);
                    boolean isNegative = characters.startsWith("^");
                    regex.append(isNegative ? "[^/" : "[")
                            .append(
                                    characters
                                            .substring(isNegative ? 1 : 0)
                                            .replaceAll("([\\[\\]&^\\\\])", "\\\\$1"))
                            .append(']');
                    at = end;
                }
                case '\\' -> {
                    at++;
                    if (at == glob.length()) {
                        throw new InvalidPackageException(
                                "%s:%d: expected a character behind \\".formatted(PATH, line));
                    }
                    regex.append(Pattern.quote(glob.substring(at, at + 1)));
                }
                default -> regex.append(Pattern.quote(String.valueOf(c)));
            }
            at++;
        }
        return Pattern.compile(glob.endsWith("/") ? regex + ".*" : regex.toString());
    }

    /** Returns whether the file at {@code path} is left out. */
    public boolean contains(String path) {
        return path.equals(PATH)
                || path.equals(ALWAYS)
                || path.endsWith("/" + ALWAYS)
                || patterns.stream().anyMatch(pattern -> pattern.matcher(path).matches());
    }
}
