package org.crabro.container.http;

import java.io.IOException;
import java.nio.channels.Selector;
import java.util.Objects;
import java.util.concurrent.Executor;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.io.SelectorManager;
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

    private static final class ReportingSelector extends ManagedSelector {
        private final StandIns.Post post;

        ReportingSelector(SelectorManager manager, int id, StandIns.Post post) {
            super(manager, id);
            this.post = post;
            post.open(Objects.requireNonNull(getBean(AdaptiveExecutionStrategy.class)));
        }

        @Override
        protected int nioSelect(Selector selector, boolean now) throws IOException {
            post.take();
            return super.nioSelect(selector, now);
        }
    }
}
