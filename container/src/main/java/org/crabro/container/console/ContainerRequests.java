package org.crabro.container.console;

import org.eclipse.jetty.server.Handler;

/**
 * The handlers of a container, in the same process or elsewhere. The container checks the
 * permissions of the sender.
 *
 * @param queries answers like the port for queries
 * @param documents answers like the port for documents
 */
public record ContainerRequests(Handler queries, Handler documents) {}
