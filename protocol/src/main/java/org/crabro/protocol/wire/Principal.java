package org.crabro.protocol.wire;

import java.util.EnumSet;
import java.util.Optional;
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

    /**
     * Returns whether this may access all documents. Only such a principal sees counts of blocks
     * and estimates: groups share blocks, so these depend on documents of other groups.
     */
    public boolean hasEveryGroup() {
        return switch (groups) {
            case Groups.Every() -> true;
            case Groups.Only _ -> false;
        };
    }

    /** Returns whether this may access the documents of a group, or those without one. */
    public boolean mayAccess(LocationKey key) {
        return switch (groups) {
            case Groups.Every() -> true;
            case Groups.Only(var names) ->
                    key instanceof LocationKey.Group(var name) && names.contains(name);
        };
    }

    /**
     * Returns why this may not access the documents of a group, or those without one; empty if it
     * may.
     */
    public Optional<String> refusal(LocationKey key) {
        if (mayAccess(key)) {
            return Optional.empty();
        }
        return Optional.of(
                refusalOf(
                        switch (key) {
                            case LocationKey.Group(var group) -> "group '" + group + "'";
                            case LocationKey.Numbered(var value) ->
                                    "documents of number " + Long.toUnsignedString(value);
                            case LocationKey.Plain() -> "documents without a group";
                        }));
    }

    /** Returns the message that this may not access some documents. */
    public String refusalOf(String what) {
        return "'" + name + "' may not touch " + what;
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
