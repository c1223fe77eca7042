package org.crabro.component;

import java.util.Optional;
import java.util.Set;

/**
 * The sender of a request. The server has checked that the caller may send it. Immutable.
 *
 * @param name of the principal in the server's access file, or of the client in services.xml;
 *     {@code everyone} where the server has no access file
 * @param permissions some of {@code read}, {@code write}, {@code deploy} and {@code admin}
 * @param groups the groups that the caller can touch; empty for all groups
 */
public record Caller(String name, Set<String> permissions, Optional<Set<String>> groups) {
    /** The caller with all rights. It is the only caller of a server without an access file. */
    public static final Caller EVERYONE =
            new Caller("everyone", Set.of("read", "write", "deploy", "admin"), Optional.empty());

    public Caller {
        permissions = Set.copyOf(permissions);
        groups = groups.map(Set::copyOf);
    }
}
