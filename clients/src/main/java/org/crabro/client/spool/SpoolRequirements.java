package org.crabro.client.spool;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a process needs for a spool: the library, and options of the JVM for its mapped files. */
final class SpoolRequirements {
    private static final String LIBRARY = "net.openhft.chronicle.bytes.MappedBytes";

    /** A package that the library uses, and whether by reflection. */
    private record Use(String module, String name, boolean isReflective) {
        boolean isPermitted(Module user) {
            return ModuleLayer.boot()
                    .findModule(module)
                    .filter(bootModule ->
                            isReflective
                                    ? bootModule.isOpen(name, user)
                                    : bootModule.isExported(name, user))
                    .isPresent();
        }

        String option() {
            return "--add-%s=%s/%s=ALL-UNNAMED"
                    .formatted(isReflective ? "opens" : "exports", module, name);
        }
    }

    private static final List<Use> USES =
            List.of(
                    new Use("java.base", "jdk.internal.ref", false),
                    new Use("java.base", "sun.nio.ch", false),
                    new Use("jdk.unsupported", "sun.misc", false),
                    new Use("java.base", "java.lang", true),
                    new Use("java.base", "java.lang.reflect", true),
                    new Use("java.base", "java.io", true),
                    new Use("java.base", "java.util", true),
                    new Use("java.base", "sun.nio.ch", true));

    private SpoolRequirements() {}

    /** Returns the options that the classes of a module lack. */
    static List<String> missingOptions(Module user) {
        List<String> missing = new ArrayList<>();
        for (Use use : USES) {
            if (!use.isPermitted(user)) {
                missing.add(use.option());
            }
        }
        return missing;
    }

    /**
     * Checks that the library is there, and that it may do what it needs.
     *
     * @throws SpoolUnavailableException if not; the message says what is missing
     */
    static void check() throws SpoolUnavailableException {
        check(SpoolRequirements.class.getClassLoader());
    }

    static void check(@Nullable ClassLoader loader) throws SpoolUnavailableException {
        Module user;
        try {
            user = Class.forName(LIBRARY, false, loader).getModule();
        } catch (ClassNotFoundException | LinkageError e) {
            throw new SpoolUnavailableException(
                    "a spool needs the library net.openhft:chronicle-bytes on the class path", e);
        }
        List<String> missing = missingOptions(user);
        if (!missing.isEmpty()) {
            throw new SpoolUnavailableException(
                    "a spool needs the JVM options " + String.join(" ", missing), null);
        }
    }
}
