package org.crabro.container.access;

import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.crabro.component.Caller;
import org.crabro.protocol.wire.Permission;
import org.crabro.protocol.wire.Principal;
import org.crabro.protocol.wire.Principal.Groups;

/** Shows principals to components of applications. */
public final class Callers {
    private Callers() {}

    /** Returns a principal as components see it. */
    public static Caller of(Principal principal) {
        Optional<Set<String>> groups =
                switch (principal.groups()) {
                    case Groups.Every() -> Optional.empty();
                    case Groups.Only(Set<String> names) -> Optional.of(names);
                };
        return new Caller(
                principal.name(),
                principal.permissions().stream()
                        .map(Permission::shown)
                        .collect(Collectors.toUnmodifiableSet()),
                groups);
    }
}
