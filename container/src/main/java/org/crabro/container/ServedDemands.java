package org.crabro.container;

import java.util.Set;
import java.util.function.Predicate;
import org.crabro.container.access.AccessHandler.Demand;
import org.crabro.container.access.AccessHandler.Demands;
import org.crabro.container.access.AccessHandler.Refusals;
import org.crabro.protocol.wire.Permission;
import org.eclipse.jetty.server.Request;

/**
 * What requests to an application need: queries permission to read, with any method, and all others
 * permission to read or to write, by their method.
 *
 * @param ofComponent which requests a component of the application answers
 * @param ofSearch which requests are queries, unless a component answers them
 * @param refusals in the form of results
 */
record ServedDemands(Predicate<Request> ofComponent, Predicate<Request> ofSearch, Refusals refusals)
        implements Demands {
    @Override
    public Demand of(Request request) {
        return ofSearch.test(request) && !ofComponent.test(request)
                ? new Demand(Set.of(Permission.READ), refusals)
                : Demand.byMethod(request);
    }
}
