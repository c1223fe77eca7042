package org.crabro.config.services;

import java.util.regex.Pattern;

/**
 * The highest version of Vespa whose packages are supported, for packages that require a minimum
 * version. It is independent of the version of Crabro.
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

    /** Returns whether {@code text} is a version whose packages are supported. */
    public static boolean isUnderstood(String text) {
        return FORM.matcher(text).matches() && satisfies(text);
    }

    /** Returns whether {@code text} is a version at all. */
    static boolean isVersion(String text) {
        return FORM.matcher(text).matches();
    }

    /**
     * Returns whether a package that requires {@code version} can be deployed.
     *
     * @param version one to three numbers, separated by dots
     */
    static boolean satisfies(String version) {
        String[] parts = version.split("\\.", -1);
        int major = Integer.parseInt(parts[0]);
        int minor = parts.length > 1 ? Integer.parseInt(parts[1]) : 0;
        return major < MAJOR || (major == MAJOR && minor <= MINOR);
    }
}
