package org.crabro.container.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import java.util.concurrent.Executor;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.io.SelectorManager;
import org.eclipse.jetty.io.SocketChannelEndPoint;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.IO;
import org.eclipse.jetty.util.thread.Scheduler;
import org.eclipse.jetty.util.thread.strategy.AdaptiveExecutionStrategy;
import org.jspecify.annotations.Nullable;

/** A connector whose selectors report to {@link ReplacementSelectors} when a thread selects. */
final class SharingConnector extends ServerConnector {
    private static final int ACCEPTORS = 1;

    private final ReplacementSelectors replacements;
    private final OpenConnections connections;

    /**
     * @param selectors their count, which is also the count of states
     */
    SharingConnector(
            Server server,
            ReplacementSelectors replacements,
            OpenConnections connections,
            int selectors,
            ConnectionFactory... factories) {
        super(server, replacements, null, null, ACCEPTORS, selectors, factories);
        this.replacements = replacements;
        this.connections = connections;
    }

    @Override
    protected SelectorManager newSelectorManager(
            Executor executor, Scheduler scheduler, int selectors) {
        return new ServerConnectorManager(executor, scheduler, selectors) {
            @Override
            protected ManagedSelector newSelector(int id) {
                return new ReportingSelector(this, id, replacements.state(id));
            }

            @Override
            public void accept(SelectableChannel channel, Object attachment) {
                if (channel instanceof SocketChannel socket && !isAdmitted(socket)) {
                    IO.close(channel);
                } else {
                    super.accept(channel, attachment);
                }
            }
        };
    }

    private boolean isAdmitted(SocketChannel channel) {
        try {
            return connections.admits(channel.getRemoteAddress());
        } catch (IOException _) {
            // The client has disconnected.
            return false;
        }
    }

    @Override
    protected SocketChannelEndPoint newEndPoint(
            SocketChannel channel, ManagedSelector selector, SelectionKey key) {
        var endPoint =
                new HurryingEndPoint(
                        channel,
                        selector,
                        key,
                        getScheduler(),
                        ((ReportingSelector) selector).state,
                        connections);
        endPoint.setIdleTimeout(getIdleTimeout());
        return endPoint;
    }

    /** Requests a selection if an answer may wait for one, and reports activity of the client. */
    private static final class HurryingEndPoint extends SocketChannelEndPoint
            implements OpenConnections.TrackedEndPoint {
        private final ReplacementSelectors.SelectorState state;
        private final OpenConnections connections;
        private final OpenConnections.Tracked tracked;

        HurryingEndPoint(
                SocketChannel channel,
                ManagedSelector selector,
                SelectionKey key,
                Scheduler scheduler,
                ReplacementSelectors.SelectorState state,
                OpenConnections connections) {
            super(channel, selector, key, scheduler);
            this.state = state;
            this.connections = connections;
            this.tracked = new OpenConnections.Tracked(this);
        }

        @Override
        public OpenConnections.Tracked tracked() {
            return tracked;
        }

        @Override
        public void onOpen() {
            super.onOpen();
            connections.opened(tracked);
        }

        @Override
        public void onClose(@Nullable Throwable cause) {
            connections.closed(tracked);
            super.onClose(cause);
        }

        @Override
        public int fill(ByteBuffer buffer) throws IOException {
            int filled = super.fill(buffer);
            if (filled > 0) {
                tracked.received();
            }
            return filled;
        }

        @Override
        protected void onIncompleteFlush() {
            super.onIncompleteFlush();
            state.requestSelection();
        }
    }

    private static final class ReportingSelector extends ManagedSelector {
        private final ReplacementSelectors.SelectorState state;

        ReportingSelector(
                SelectorManager manager, int id, ReplacementSelectors.SelectorState state) {
            super(manager, id);
            this.state = state;
            state.open(
                    Objects.requireNonNull(getBean(AdaptiveExecutionStrategy.class)),
                    this::connections);
        }

        private int connections() {
            try {
                return getTotalKeys();
            } catch (ClosedSelectorException _) {
                // Jetty closes it on a thread of its own when the server stops.
                return 0;
            }
        }

        @Override
        public void submit(SelectorUpdate update) {
            super.submit(update);
            state.requestSelectionByOthers();
        }

        @Override
        protected int nioSelect(Selector selector, boolean now) throws IOException {
            state.select();
            return super.nioSelect(selector, now);
        }
    }
}
