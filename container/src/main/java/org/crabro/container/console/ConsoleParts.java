package org.crabro.container.console;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.container.access.AccessControl;
import org.crabro.container.http.MetricIntervals;
import org.eclipse.jetty.server.Handler;

/**
 * What the console shows.
 *
 * @param use who can open it
 * @param server its version, permissions and metrics
 * @param model the active application
 * @param history of deployments, the newest first
 * @param container answers queries and documents; empty if there is none
 * @param leader answers what only the config server that leads knows; empty if this one knows it
 */
public record ConsoleParts(
        ConsoleUse use,
        Server server,
        Supplier<Optional<ApplicationModel>> model,
        Supplier<List<ConsoleEvent>> history,
        Optional<ContainerRequests> container,
        Supplier<Optional<Handler>> leader) {
    /** The parts of a server that knows everything itself. */
    public ConsoleParts(
            ConsoleUse use,
            Server server,
            Supplier<Optional<ApplicationModel>> model,
            Supplier<List<ConsoleEvent>> history,
            Optional<ContainerRequests> container) {
        this(use, server, model, history, container, Optional::empty);
    }

    /**
     * The server.
     *
     * @param access the permissions of principals
     */
    public record Server(String version, AccessControl access, MetricIntervals metrics) {}
}
