package org.crabro.protocol.wire;

import java.util.EnumSet;
import java.util.Set;

/**
 * Who sent a request, and what they may do. The container checks permissions where requests come
 * in, and groups in dispatch.
 *
 * @param name for logs; not empty
 * @param permissions not part of the encoding of messages, since a sender of messages has checked
 *     them: a principal that is read from bytes has all
 */
public record Principal(String name, Groups groups, Set<Permission> permissions) {
    /** Everyone, allowed everything: what a request without credentials gets by default. */
    public static final Principal EVERYONE = new Principal("everyone", new Groups.Every());

    public Principal {
        permissions = Set.copyOf(permissions);
    }

    /** A principal with all permissions. */
    public Principal(String name, Groups groups) {
        this(name, groups, EnumSet.allOf(Permission.class));
    }

    /** Returns whether this has a permission. */
    public boolean may(Permission permission) {
        return permissions.contains(permission);
    }

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
