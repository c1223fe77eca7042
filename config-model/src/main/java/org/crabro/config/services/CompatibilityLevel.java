package org.crabro.config.services;

import java.util.regex.Pattern;

/**
 * The version of Vespa whose packages are understood here, for packages that ask for a minimum. Our
 * own version is another thing.
 */
public final class CompatibilityLevel {
    private static final int MAJOR = 8;
    private static final int MINOR = 763;

    private static final Pattern FORM = Pattern.compile("[0-9]{1,5}(\\.[0-9]{1,5}){0,2}");

    private CompatibilityLevel() {}

    /** Returns the level as text. */
    public static String text() {
        return MAJOR + "." + MINOR;
    }

    /** Returns whether {@code text} is a version whose packages are understood. */
    public static boolean isUnderstood(String text) {
        return FORM.matcher(text).matches() && satisfies(text);
    }

    /** Returns whether {@code text} is a version at all. */
    static boolean isVersion(String text) {
        return FORM.matcher(text).matches();
    }

    /**
     * Returns whether a package that asks for {@code version} may be deployed.
     *
     * @param version one to three numbers with dots between them
     */
    static boolean satisfies(String version) {
        String[] parts = version.split("\\.", -1);
        int major = Integer.parseInt(parts[0]);
        int minor = parts.length > 1 ? Integer.parseInt(parts[1]) : 0;
        return major < MAJOR || (major == MAJOR && minor <= MINOR);
    }
}
