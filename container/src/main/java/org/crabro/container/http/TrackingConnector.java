package org.crabro.container.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.concurrent.Executor;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.io.SelectorManager;
import org.eclipse.jetty.io.SocketChannelEndPoint;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.IO;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;

/** A connector that reports its connections to {@link OpenConnections}, which may refuse them. */
final class TrackingConnector extends ServerConnector {
    private static final int ACCEPTORS = 1;

    private final OpenConnections connections;

    TrackingConnector(
            Server server,
            OpenConnections connections,
            int selectors,
            ConnectionFactory... factories) {
        super(server, null, null, null, ACCEPTORS, selectors, factories);
        this.connections = connections;
    }

    @Override
    protected SelectorManager newSelectorManager(
            Executor executor, Scheduler scheduler, int selectors) {
        return new ServerConnectorManager(executor, scheduler, selectors) {
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
        var endPoint = new ReportingEndPoint(channel, selector, key, getScheduler(), connections);
        endPoint.setIdleTimeout(getIdleTimeout());
        return endPoint;
    }

    /** Reports activity of the client. */
    private static final class ReportingEndPoint extends SocketChannelEndPoint
            implements OpenConnections.TrackedEndPoint {
        private final OpenConnections connections;
        private final OpenConnections.Tracked tracked;

        ReportingEndPoint(
                SocketChannel channel,
                ManagedSelector selector,
                SelectionKey key,
                Scheduler scheduler,
                OpenConnections connections) {
            super(channel, selector, key, scheduler);
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
    }
}
