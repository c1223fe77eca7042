package org.crabro.container.console;

import java.util.Set;
import org.crabro.container.access.AccessHandler.Demand;
import org.crabro.container.http.JsonReply;
import org.crabro.protocol.wire.Permission;
import org.eclipse.jetty.server.Request;

/** The permissions that requests below {@code /console/} need. */
public final class ConsoleDemands {
    private static final Demand SCHEMAS =
            new Demand(
                    Set.of(Permission.READ, Permission.DEPLOY, Permission.ADMIN),
                    JsonReply::sendProblem);

    /** Metrics count the documents and requests of all groups. */
    private static final Demand METRICS =
            new Demand(Set.of(Permission.READ, Permission.ADMIN), true, JsonReply::sendProblem);

    private static final Demand HISTORY =
            new Demand(Set.of(Permission.DEPLOY, Permission.ADMIN), JsonReply::sendProblem);

    private ConsoleDemands() {}

    /**
     * Returns the needs of a request. Files of the console need nothing, because they have no data.
     * Queries and documents need nothing here, because the container checks their sender.
     */
    public static Demand of(Request request) {
        String path = ConsoleHandler.path(request);
        return switch (path) {
            case ConsoleHandler.STATUS -> Demand.ANY;
            case ConsoleHandler.SCHEMAS -> SCHEMAS;
            case ConsoleHandler.METRICS -> METRICS;
            case ConsoleHandler.HISTORY -> HISTORY;
            default -> Demand.NOTHING;
        };
    }
}
