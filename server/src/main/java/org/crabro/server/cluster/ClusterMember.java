package org.crabro.server.cluster;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.crabro.protocol.cluster.ClusterState;
import org.crabro.protocol.cluster.NodeReport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports to the config servers on one thread, and follows their decisions on another: a host that
 * opens its data reports meanwhile. It keeps the last decisions on disk, so that a server can start
 * when no config server is up.
 */
public final class ClusterMember implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterMember.class);

    /** The time between two reports. */
    static final Duration INTERVAL = Duration.ofMillis(500);

    /** The time between two reports after a new decision: most changes have several steps. */
    private static final Duration NEWS_INTERVAL = Duration.ofMillis(50);

    /** How long after a new decision reports follow faster. */
    private static final Duration NEWS = Duration.ofSeconds(1);

    private final HostReport.Sender sender;
    private final List<? extends ConfigAccess> servers;
    private final Roles roles;
    private final MemberFiles files;
    private final Consumer<String> refused;
    private final Thread reporting;
    private final Thread following;

    /** How many reports were made. */
    private final AtomicLong reports = new AtomicLong();

    /** The server that answered last. */
    private volatile int current;

    /** The last decisions of another host that a second config server has confirmed. */
    private Optional<ConfigReply> confirmed = Optional.empty();

    /** The server that confirmed last. It is asked first: one that is down takes seconds. */
    private int confirming;

    private volatile long active;
    private SortedMap<String, ClusterState> states = new TreeMap<>();
    private volatile boolean isSilenced;

    /** The number of the last decision, and when it came. For the thread that reports. */
    private long revision;

    private long newsNanos = System.nanoTime() - NEWS.toNanos();

    /** Whether the next report is due at once: a deployment waits for it. */
    private boolean isDue;

    private Optional<Answer> next = Optional.empty();
    private boolean isClosing;

    /** The reply of a config server. */
    private record Answer(ConfigReply reply, ConfigAccess server) {}

    /** What the server does. */
    public interface Roles {
        /** Returns where the server answers queries, 0 for nowhere. */
        int containerPort();

        /**
         * Returns the reports of the content nodes of the server, by content cluster. Does not wait
         * for the other methods.
         */
        SortedMap<String, NodeReport> nodes();

        /**
         * Makes an application active. If that fails, the application before stays active, and this
         * is called again at the next report.
         *
         * @param packages a directory of packages, whose active one this is
         * @throws IOException if it cannot be active
         */
        void activate(Path packages) throws IOException;

        /** Stops to serve an application; documents stay stored. */
        void deactivate();

        /** Writes a version of formats from now on. Called before the methods that follow. */
        void write(int format);

        /** Follows new states of the content clusters. */
        void follow(SortedMap<String, ClusterState> states);

        /** Goes on with what the states want. Called after each answer of a config server. */
        void proceed();
    }

    private ClusterMember(
            HostReport.Sender sender,
            List<? extends ConfigAccess> servers,
            Roles roles,
            MemberFiles files,
            Consumer<String> refused) {
        this.sender = sender;
        this.servers = List.copyOf(servers);
        this.roles = roles;
        this.files = files;
        this.refused = refused;
        this.reporting =
                Thread.ofPlatform().name("cluster-reports").daemon().unstarted(this::report);
        this.following =
                Thread.ofPlatform().name("cluster-decisions").daemon().unstarted(this::followAll);
    }

    /**
     * Starts to serve by the last decisions on disk. {@link #start} begins to report.
     *
     * @param servers the config servers, at least one
     * @param directory of the decisions; created if missing
     * @param refused is called at most once, with the reason why the server must stop
     * @throws IOException if the decisions cannot be read, or the cluster uses a version of formats
     *     that this server does not have. Then nothing has changed
     */
    public static ClusterMember open(
            HostReport.Sender sender,
            List<? extends ConfigAccess> servers,
            Roles roles,
            Path directory,
            Consumer<String> refused)
            throws IOException {
        MemberFiles files = MemberFiles.open(directory, sender.formats());
        var member = new ClusterMember(sender, servers, roles, files, refused);
        member.restore();
        return member;
    }

    /** Begins to report. Called once. */
    public void start() {
        reporting.start();
        following.start();
    }

    private void restore() {
        states = files.latest().states();
        roles.write(files.latest().format());
        if (!states.isEmpty()) {
            roles.follow(states);
        }
        if (files.latest().generation() != 0) {
            try {
                roles.activate(files.packages());
                active = files.generation();
            } catch (IOException | RuntimeException e) {
                LOG.error("generation {} cannot be served", files.latest().generation(), e);
            }
        }
    }

    private void report() {
        while (!isClosing()) {
            try {
                ask(state()).ifPresent(this::hand);
            } catch (RuntimeException e) {
                LOG.warn("no report was made", e);
            }
            boolean isNew = System.nanoTime() - newsNanos < NEWS.toNanos();
            await(isNew ? NEWS_INTERVAL : INTERVAL);
        }
    }

    private synchronized void hand(Answer answer) {
        if (answer.reply().revision() != revision) {
            revision = answer.reply().revision();
            newsNanos = System.nanoTime();
        }
        next = Optional.of(answer);
        notifyAll();
    }

    private void followAll() {
        for (Optional<Answer> answer = take(); answer.isPresent(); answer = take()) {
            try {
                follow(answer.get());
            } catch (IOException | RuntimeException e) {
                LOG.warn("the decisions of the config server cannot be followed", e);
            }
        }
    }

    /** Waits for the newest answer; returns empty when this is closed. */
    private synchronized Optional<Answer> take() {
        try {
            while (next.isEmpty() && !isClosing) {
                wait();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException("this thread is never interrupted", e);
        }
        Optional<Answer> taken = isClosing ? Optional.empty() : next;
        next = Optional.empty();
        return taken;
    }

    private synchronized void await(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        long millis = time.toMillis();
        try {
            while (!isClosing && !isDue && millis > 0) {
                wait(millis);
                millis = (end - System.nanoTime()) / 1_000_000;
            }
            isDue = false;
        } catch (InterruptedException e) {
            throw new IllegalStateException("this thread is never interrupted", e);
        }
    }

    private synchronized void wake() {
        isDue = true;
        notifyAll();
    }

    private synchronized boolean isClosing() {
        return isClosing;
    }

    /** Reports once, and follows the answer. */
    void step() throws IOException {
        Optional<Answer> answer = ask(state());
        if (answer.isPresent()) {
            follow(answer.get());
        }
    }

    /** Returns the report of the server as it is now. */
    private HostReport state() {
        return new HostReport(
                sender.numbered(reports.incrementAndGet()),
                files.latest().clusterId(),
                active,
                roles.containerPort(),
                roles.nodes());
    }

    /** Reports once, and returns the answer of the first config server that answers. */
    private Optional<Answer> ask(HostReport report) {
        IOException last = new IOException("there is no config server");
        for (int i = 0; i < servers.size(); i++) {
            int index = (current + i) % servers.size();
            try {
                ConfigReply reply = servers.get(index).report(report);
                current = index;
                if (isSilenced) {
                    LOG.info("config server {} answers again", index);
                    isSilenced = false;
                }
                return Optional.of(new Answer(reply, servers.get(index)));
            } catch (IOException e) {
                last = e;
            }
        }
        if (!isSilenced) {
            LOG.warn("no config server answers; the last decisions apply", last);
            isSilenced = true;
        }
        return Optional.empty();
    }

    /**
     * Returns whether the server of an answer leads, as far as a second config server knows. So one
     * that lies cannot decide. The one of this process does not lie. A leader without a second
     * server cannot decide anything new.
     */
    private boolean isConfirmed(Answer answer) {
        String name = answer.server().name();
        if (servers.size() == 1
                || name.equals(sender.host())
                || confirmed.filter(answer.reply()::equals).isPresent()) {
            return true;
        }
        for (int i = 0; i < servers.size(); i++) {
            int index = (confirming + i) % servers.size();
            ConfigAccess other = servers.get(index);
            try {
                if (!other.name().equals(name) && other.confirms(name)) {
                    confirming = index;
                    confirmed = Optional.of(answer.reply());
                    return true;
                }
            } catch (IOException e) {
                LOG.debug("config server '{}' confirms nothing", other.name(), e);
            }
        }
        return false;
    }

    private void follow(Answer answer) throws IOException {
        ConfigReply reply = answer.reply();
        if (!isConfirmed(answer)) {
            LOG.info(
                    "config server '{}' decides, and no other one says that it leads",
                    answer.server().name());
            // The next report goes to another one first.
            current = (servers.indexOf(answer.server()) + 1) % servers.size();
            return;
        }
        if (!reply.refusal().isEmpty()) {
            LOG.error("the config server refuses this server: {}", reply.refusal());
            synchronized (this) {
                isClosing = true;
                notifyAll();
            }
            refused.accept(reply.refusal());
            return;
        }
        if (isOld(reply)) {
            // Of a config server that does not know yet that another one leads.
            return;
        }
        // First the nodes: an application sends requests to them.
        if (!reply.withGeneration(0).equals(files.latest().withGeneration(0))) {
            // The package on disk is still that of the active generation.
            files.keep(reply.withGeneration(active));
        }
        roles.write(reply.format());
        if (!reply.states().equals(states)) {
            states = reply.states();
            roles.follow(states);
        } else {
            roles.proceed();
        }
        if (reply.generation() != 0 && reply.generation() != active) {
            if (!files.fetch(reply, answer.server())) {
                LOG.info("the files of generation {} are not active yet", reply.generation());
                return;
            }
            roles.activate(files.packages());
            active = reply.generation();
            wake();
        } else if (reply.generation() == 0 && active != 0) {
            files.keep(reply);
            roles.deactivate();
            active = 0;
        }
    }

    private boolean isOld(ConfigReply reply) {
        return reply.clusterId().equals(files.latest().clusterId())
                && reply.revision() < files.latest().revision();
    }

    @Override
    public void close() {
        boolean hasState;
        synchronized (this) {
            hasState = !isClosing && !isSilenced && reporting.isAlive();
            isClosing = true;
            notifyAll();
        }
        try {
            // Returns at once if they were never started.
            reporting.join();
            following.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (hasState) {
            // Others lead from now on; without the answer, they learn it from the silence.
            Optional<Answer> _ = ask(state().ofEnd());
        }
    }
}
