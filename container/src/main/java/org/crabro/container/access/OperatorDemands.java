package org.crabro.container.access;

import java.util.Set;
import org.crabro.container.access.AccessHandler.Demand;
import org.crabro.container.http.JsonReply;
import org.crabro.protocol.wire.Permission;
import org.eclipse.jetty.server.Request;

/** The permissions for the operator paths, which both ports serve. */
public final class OperatorDemands {
    private static final Set<String> HEALTH = Set.of("/status.html", "/state/v1/health");
    private static final Set<String> STATUS = Set.of("/", "/ApplicationStatus");

    /** Metrics count the documents and requests of all groups. */
    private static final Demand METRICS =
            new Demand(Set.of(Permission.READ, Permission.ADMIN), true, JsonReply::sendProblem);

    private OperatorDemands() {}

    /** Returns the needs of a request: none for health and for paths that are not operators'. */
    public static Demand of(Request request) {
        String path = Request.getPathInContext(request);
        if (HEALTH.contains(path)) {
            return Demand.NOTHING;
        }
        if (isBelow(path, "/metrics")
                || isBelow(path, "/prometheus")
                || isBelow(path, "/state/v1/metrics")) {
            return METRICS;
        }
        return STATUS.contains(path) || isBelow(path, "/state/v1") ? Demand.ANY : Demand.NOTHING;
    }

    private static boolean isBelow(String path, String root) {
        return path.equals(root) || path.startsWith(root + "/");
    }
}
