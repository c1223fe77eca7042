package org.crabro.perf.fuzz;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Where Jazzer enters: it calls {@link #fuzzerTestOneInput} with each input that it makes. */
public final class JazzerTarget {
    /** The property that names the target. */
    static final String NAME = "crabro.fuzz.target";

    /** The property with the index of the target's group in {@link FuzzTargets#GROUPS}. */
    static final String GROUP = "crabro.fuzz.group";

    private static @Nullable FuzzTarget target;

    private JazzerTarget() {}

    /** Called by Jazzer once, which finds this method by its name. */
    public static void fuzzerInitialize() throws Exception {
        String name = Objects.requireNonNull(System.getProperty(NAME), NAME);
        FuzzTarget chosen =
                FuzzTargets.GROUPS.get(Integer.getInteger(GROUP)).get().stream()
                        .filter(each -> each.name().equals(name))
                        .findFirst()
                        .orElseThrow();
        // Loads and instruments classes, which takes longer than an input may.
        for (byte[] input : FuzzCorpus.read(name)) {
            chosen.accepts(input);
        }
        target = chosen;
    }

    /** Called by Jazzer, which finds this method by its name. */
    public static void fuzzerTestOneInput(byte[] input) throws Exception {
        Objects.requireNonNull(target).accepts(input);
    }
}
