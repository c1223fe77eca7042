package org.crabro.container;

import java.util.Set;
import java.util.function.Predicate;
import org.crabro.container.access.AccessHandler.Demand;
import org.crabro.container.access.AccessHandler.Demands;
import org.crabro.container.access.AccessHandler.Refusals;
import org.crabro.container.http.JsonReply;
import org.crabro.protocol.wire.Permission;
import org.eclipse.jetty.server.Request;

/**
 * The permissions that requests to an application need: to read for queries, tools and evaluations
 * of models with any method; to read or to write by method for all others.
 *
 * @param ofComponent selects the requests that a component of the application answers
 * @param ofSearch selects queries, unless a component answers them
 * @param ofModels selects the requests of language models and evaluations of models, which only
 *     read, unless a component answers them
 * @param refusals in the form of results
 */
record ServedDemands(
        Predicate<Request> ofComponent,
        Predicate<Request> ofSearch,
        Predicate<Request> ofModels,
        Refusals refusals)
        implements Demands {
    @Override
    public Demand of(Request request) {
        if (ofComponent.test(request)) {
            return Demand.byMethod(request);
        }
        if (ofSearch.test(request)) {
            return new Demand(Set.of(Permission.READ), refusals);
        }
        return ofModels.test(request)
                ? new Demand(Set.of(Permission.READ), JsonReply::sendProblem)
                : Demand.byMethod(request);
    }
}
