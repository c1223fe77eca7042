package org.crabro.container.http;

import java.io.IOException;
import java.nio.channels.ClosedSelectorException;
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
import org.eclipse.jetty.util.thread.Scheduler;
import org.eclipse.jetty.util.thread.strategy.AdaptiveExecutionStrategy;

/** A connector whose selectors report to {@link StandIns} when somebody selects. */
final class SharingConnector extends ServerConnector {
    private static final int ACCEPTORS = 1;

    private final StandIns standIns;

    /**
     * @param selectors how many; as many posts there are
     */
    SharingConnector(
            Server server, StandIns standIns, int selectors, ConnectionFactory... factories) {
        super(server, standIns, null, null, ACCEPTORS, selectors, factories);
        this.standIns = standIns;
    }

    @Override
    protected SelectorManager newSelectorManager(
            Executor executor, Scheduler scheduler, int selectors) {
        return new ServerConnectorManager(executor, scheduler, selectors) {
            @Override
            protected ManagedSelector newSelector(int id) {
                return new ReportingSelector(this, id, standIns.post(id));
            }
        };
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
                        ((ReportingSelector) selector).post);
        endPoint.setIdleTimeout(getIdleTimeout());
        return endPoint;
    }

    /** Asks for a selection where whoever writes an answer may wait for one. */
    private static final class HurryingEndPoint extends SocketChannelEndPoint {
        private final StandIns.Post post;

        HurryingEndPoint(
                SocketChannel channel,
                ManagedSelector selector,
                SelectionKey key,
                Scheduler scheduler,
                StandIns.Post post) {
            super(channel, selector, key, scheduler);
            this.post = post;
        }

        @Override
        protected void onIncompleteFlush() {
            super.onIncompleteFlush();
            post.hurry();
        }
    }

    private static final class ReportingSelector extends ManagedSelector {
        private final StandIns.Post post;

        ReportingSelector(SelectorManager manager, int id, StandIns.Post post) {
            super(manager, id);
            this.post = post;
            post.open(
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
            post.hurryForOthers();
        }

        @Override
        protected int nioSelect(Selector selector, boolean now) throws IOException {
            post.take();
            return super.nioSelect(selector, now);
        }
    }
}
