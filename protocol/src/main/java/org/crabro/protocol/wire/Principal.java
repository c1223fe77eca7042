package org.crabro.protocol.wire;

import java.util.Set;

/**
 * Who asks, and which groups they may touch. Checked in one place: dispatch.
 *
 * @param name for logs; not empty
 */
public record Principal(String name, Groups groups) {
    /** Everyone, allowed everything: what a request without credentials gets by default. */
    public static final Principal EVERYONE = new Principal("everyone", new Groups.Every());

    /** The groups that a principal may touch. */
    public sealed interface Groups {
        /** Every group, and documents without one. */
        record Every() implements Groups {}

        /** Only the groups named. */
        record Only(Set<String> names) implements Groups {
            public Only {
                names = Set.copyOf(names);
            }
        }
    }
}
