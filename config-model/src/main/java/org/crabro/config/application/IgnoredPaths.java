package org.crabro.config.application;

import java.util.ArrayList;
import java.util.List;

/**
 * The paths that {@code .vespaignore} leaves out of a package: one glob per line, matched against
 * whole paths.
 *
 * <pre>
 *   line := blank | "#" characters | glob | glob "/"
 *   glob := ( "*" | "?" | "[" ["^"] characters "]" | "\" character | character )*
 * </pre>
 *
 * Neither {@code *} nor {@code ?} matches a slash. A glob with a slash at its end leaves out the
 * directory with all below it.
 */
public final class IgnoredPaths {
    /** The path of the file in a package. */
    public static final String PATH = ".vespaignore";

    /** The maximum number of globs; each is compared with each path. */
    private static final int GLOBS_MAX = 10_000;

    private static final String ALWAYS = ".DS_Store";

    private final List<PathGlob> globs;

    private IgnoredPaths(List<PathGlob> globs) {
        this.globs = List.copyOf(globs);
    }

    /**
     * Reads the lines of a file.
     *
     * @throws InvalidPackageException if a line is not a valid glob; the message contains the line
     */
    public static IgnoredPaths parse(String text) {
        var globs = new ArrayList<PathGlob>();
        int number = 0;
        for (String each : (Iterable<String>) text.lines()::iterator) {
            number++;
            String line = each.strip();
            if (!line.isEmpty() && !line.startsWith("#")) {
                if (globs.size() == GLOBS_MAX) {
                    throw new InvalidPackageException(
                            "%s:%d: more than %,d globs".formatted(PATH, number, GLOBS_MAX));
                }
                globs.add(glob(line, number));
            }
        }
        return new IgnoredPaths(globs);
    }

    private static PathGlob glob(String text, int line) {
        try {
            return PathGlob.parse(text);
        } catch (IllegalArgumentException e) {
            throw new InvalidPackageException("%s:%d: %s".formatted(PATH, line, e.getMessage()), e);
        }
    }

    /** Returns whether the file at {@code path} is left out. */
    public boolean contains(String path) {
        return path.equals(PATH)
                || path.equals(ALWAYS)
                || path.endsWith("/" + ALWAYS)
                || globs.stream().anyMatch(glob -> glob.matches(path));
    }
}
