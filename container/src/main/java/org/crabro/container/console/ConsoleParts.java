package org.crabro.container.console;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.container.access.AccessControl;
import org.crabro.container.http.MetricIntervals;

/**
 * What the console shows.
 *
 * @param use who can open it
 * @param server its version, permissions and metrics
 * @param model the active application
 * @param history of deployments, the newest first
 * @param container answers queries and documents; empty if no container is in this process
 */
public record ConsoleParts(
        ConsoleUse use,
        Server server,
        Supplier<Optional<ApplicationModel>> model,
        Supplier<List<ConsoleEvent>> history,
        Optional<ContainerRequests> container) {
    /**
     * The server.
     *
     * @param access the permissions of principals
     */
    public record Server(String version, AccessControl access, MetricIntervals metrics) {}
}
