package org.crabro.config.services;

/**
 * The version of Vespa whose packages are understood here, for packages that ask for a minimum. Our
 * own version is another thing.
 */
public final class CompatibilityLevel {
    private static final int MAJOR = 8;
    private static final int MINOR = 763;

    private CompatibilityLevel() {}

    /** Returns the level as text. */
    public static String text() {
        return MAJOR + "." + MINOR;
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
