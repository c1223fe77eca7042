package org.crabro.container.admin;

import java.util.List;
import org.crabro.perf.FuzzTarget;

/** Paths of the config port. */
public final class AdminTargets {
    private AdminTargets() {}

    /** Returns the targets. */
    public static List<FuzzTarget> all() {
        return List.of(
                FuzzTarget.ofText("admin-paths", path -> AdminPath.parse(AdminPath.ROOT + path)));
    }
}
