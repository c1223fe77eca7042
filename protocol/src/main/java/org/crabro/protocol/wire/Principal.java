package org.crabro.protocol.wire;

import java.util.EnumSet;
import java.util.Set;
import org.crabro.document.LocationKey;

/**
 * The sender of a request, and its permissions. The container checks permissions when a request
 * arrives; dispatch checks groups.
 *
 * @param name for logs; not empty
 * @param permissions not part of the encoding of messages, because the sender of a message has
 *     checked them: a decoded principal has all
 */
public record Principal(String name, Groups groups, Set<Permission> permissions) {
    /** The default principal of requests without credentials, with all permissions. */
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

    /** Returns whether this may access the documents of a group, or those without one. */
    public boolean mayAccess(LocationKey key) {
        return switch (groups) {
            case Groups.Every() -> true;
            case Groups.Only(var names) ->
                    key instanceof LocationKey.Group(var name) && names.contains(name);
        };
    }

    /** The groups that a principal may access. */
    public sealed interface Groups {
        /** Every group, and documents without one. */
        record Every() implements Groups {}

        /** Only the named groups. */
        record Only(Set<String> names) implements Groups {
            public Only {
                names = Set.copyOf(names);
            }
        }
    }
}
