package org.crabro.server.cluster;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.crabro.protocol.cluster.NodeReport;
import org.crabro.protocol.cluster.NodeReport.Configuration;
import org.crabro.protocol.cluster.NodeReport.ShardReport;

/**
 * What a {@link HostReport} may contain, from any sender. Its values go into the record of the
 * cluster and to all servers, which connect to its addresses. Pure functions.
 */
final class ReportForm {
    /** The most content clusters of a host. */
    static final int CLUSTERS_MAX = 1_000;

    private static final int ID_MAX = 256;
    private static final int REASON_MAX = 1_000;
    private static final int PORT_MAX = 65_535;

    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,222}");
    private static final Pattern PEER = Pattern.compile("[A-Za-z0-9._-]{1,240}");
    private static final Pattern ADDRESS =
            Pattern.compile("[A-Za-z0-9:\\[][A-Za-z0-9._:%\\[\\]-]{0,254}:[0-9]{1,5}");

    private static final Pattern CLUSTER = Pattern.compile("[A-Za-z0-9-]{1,100}");

    private ReportForm() {}

    /** Returns whether a text is a name of a host and can be the name of a data directory. */
    static boolean isHost(String name) {
        return HOST.matcher(name).matches();
    }

    /** Returns whether a text is a name of a data directory. */
    static boolean isPeer(String peer) {
        return PEER.matcher(peer).matches();
    }

    /** Returns whether a text is {@code HOST:PORT}, without a name that is looked up. */
    static boolean isAddress(String text) {
        return ADDRESS.matcher(text).matches()
                && Integer.parseInt(text.substring(text.lastIndexOf(':') + 1)) <= PORT_MAX;
    }

    /**
     * Rejects a report that has another form.
     *
     * @throws IllegalArgumentException with the first part that is wrong
     */
    static void check(HostReport report) {
        require(isHost(report.host()), "'%s' is no name of a host".formatted(shown(report.host())));
        require(report.clusterId().length() <= ID_MAX, "the name of the cluster is too long");
        require(report.generation() >= 0, "generation %d".formatted(report.generation()));
        require(
                report.containerPort() >= 0 && report.containerPort() <= PORT_MAX,
                "port %d of the container".formatted(report.containerPort()));
        require(
                report.nodes().size() <= CLUSTERS_MAX,
                "%d content clusters, of at most %d"
                        .formatted(report.nodes().size(), CLUSTERS_MAX));
        report.nodes().forEach(ReportForm::check);
    }

    private static void check(String id, NodeReport node) {
        require(id.length() <= ID_MAX, "the name of a content cluster is too long");
        require(node.node() >= 0, "content '%s': distribution key %d".formatted(id, node.node()));
        require(
                isPeer(node.peer()),
                "'%s' is no name of a data directory".formatted(shown(node.peer())));
        require(
                node.generation() >= 0,
                "content '%s': generation %d".formatted(id, node.generation()));
        for (String address :
                List.of(node.addresses().requests(), node.addresses().replication())) {
            require(
                    address.isEmpty() || isAddress(address),
                    "'%s' is not HOST:PORT".formatted(shown(address)));
        }
        require(
                node.load().refusal().length() <= REASON_MAX,
                "content '%s': the reason of a refusal is too long".formatted(id));
        Set<Integer> shards = new HashSet<>();
        for (ShardReport shard : node.shards()) {
            require(
                    shard.shard() >= 0
                            && shard.shard() < ClusterController.SHARDS
                            && shards.add(shard.shard()),
                    "content '%s': shard %d, of %d, each at most once"
                            .formatted(id, shard.shard(), ClusterController.SHARDS));
            check(shard);
        }
    }

    private static void check(ShardReport shard) {
        require(
                shard.term() >= 0 && shard.applied() >= -1,
                "shard %d: term %d, index %d"
                        .formatted(shard.shard(), shard.term(), shard.applied()));
        shard.configuration().ifPresent(each -> check(shard.shard(), each));
        shard.copy()
                .ifPresent(copy ->
                        require(
                                copy.from() >= 0 && copy.copiedBytes() >= 0 && copy.bytes() >= 0,
                                "shard %d: %s".formatted(shard.shard(), copy)));
    }

    private static void check(int shard, Configuration configuration) {
        List<String> peers = new ArrayList<>(configuration.voters());
        configuration.listeners().ifPresent(peers::addAll);
        require(
                configuration.index() >= -1 && peers.size() <= ClusterController.HOSTS_MAX,
                "shard %d: index %d, %d replicas"
                        .formatted(shard, configuration.index(), peers.size()));
        Optional<String> wrong =
                Stream.concat(peers.stream(), configuration.leader().stream())
                        .filter(each -> !isPeer(each))
                        .findFirst();
        require(wrong.isEmpty(), "'%s' is no name of a replica".formatted(shown(wrong.orElse(""))));
    }

    /**
     * Rejects the greeting of a config server that has another form.
     *
     * @throws IllegalArgumentException with the first part that is wrong
     */
    static void check(PeerHello hello) {
        check(hello.member());
        require(
                hello.servers().size() <= ClusterSettings.CONFIG_SERVERS
                        && hello.servers().stream().allMatch(ReportForm::isHost),
                "the list of config servers is none");
        require(hello.clusterId().length() <= ID_MAX, "the name of the cluster is too long");
        hello.founding()
                .ifPresent(founding -> {
                    require(
                            founding.members().size() <= ClusterSettings.CONFIG_SERVERS,
                            "%d config servers, of at most %d"
                                    .formatted(
                                            founding.members().size(),
                                            ClusterSettings.CONFIG_SERVERS));
                    require(isId(founding.clusterId()), "the name of the cluster has another form");
                    founding.members().forEach(ReportForm::check);
                });
    }

    private static void check(PeerHello.Member member) {
        require(isHost(member.host()), "'%s' is no name of a host".formatted(shown(member.host())));
        require(
                isPeer(member.peer()),
                "'%s' is no name of a data directory".formatted(shown(member.peer())));
        require(isAddress(member.log()), "'%s' is not HOST:PORT".formatted(shown(member.log())));
        require(
                isAddress(member.forwarded()),
                "'%s' is not HOST:PORT".formatted(shown(member.forwarded())));
    }

    /** A directory has this name. */
    private static boolean isId(String clusterId) {
        return CLUSTER.matcher(clusterId).matches();
    }

    private static void require(boolean isRight, String message) {
        if (!isRight) {
            throw new IllegalArgumentException(message);
        }
    }

    /** Returns the start of a text that another server sent. */
    static String shown(String text) {
        int length = Math.min(text.length(), 60);
        return text.substring(0, length).replaceAll("\\p{Cntrl}", "?");
    }
}
