package org.crabro.server.cluster;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The other config servers, and what each answered last. Safe for use by many threads. */
final class ConfigPeers implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ConfigPeers.class);

    private final Map<String, ConfigClient> clients = new LinkedHashMap<>();
    private final Map<String, PeerHello.Answer> answers = new ConcurrentHashMap<>();

    /** Makes a client for each config server except this one. */
    ConfigPeers(ClusterSettings cluster) {
        for (ClusterSettings.Named each : cluster.configServers()) {
            if (!each.name().equals(cluster.host())) {
                clients.put(each.name(), ConfigClient.connect(each, cluster.security()));
            }
        }
    }

    /** Returns the clients, for reports to the other servers. */
    List<ConfigClient> clients() {
        return List.copyOf(clients.values());
    }

    /** Says hello to all, and remembers who answers. */
    void hello(PeerHello own) {
        clients.forEach((host, client) -> {
            try {
                PeerHello.Answer answer = client.hello(own);
                checkForm(answer);
                if (!answer.own().member().host().equals(host)) {
                    throw new IOException(
                            "%s answers as host '%s'"
                                    .formatted(host, answer.own().member().host()));
                }
                if (answers.put(host, answer) == null) {
                    LOG.info("config server '{}' answers", host);
                }
            } catch (IOException e) {
                if (answers.remove(host) != null) {
                    LOG.info("config server '{}' does not answer: {}", host, e.getMessage());
                }
            }
        });
    }

    private static void checkForm(PeerHello.Answer answer) throws IOException {
        try {
            ReportForm.check(answer.own());
        } catch (IllegalArgumentException e) {
            throw new IOException("the answer has another form: " + e.getMessage(), e);
        }
    }

    /** Returns the last answers of the servers that answered the last time. */
    List<PeerHello.Answer> answers() {
        return List.copyOf(answers.values());
    }

    Optional<PeerHello.Answer> answer(String host) {
        return Optional.ofNullable(answers.get(host));
    }

    boolean isComplete() {
        return answers.size() == clients.size();
    }

    /** Returns the client of a host. */
    Optional<ConfigClient> client(String host) {
        return Optional.ofNullable(clients.get(host));
    }

    /** Returns whether a server other than {@code leader} takes that one for the leader, too. */
    boolean isConfirmed(String leader) {
        for (Map.Entry<String, ConfigClient> each : clients.entrySet()) {
            try {
                if (!each.getKey().equals(leader) && each.getValue().confirms(leader)) {
                    return true;
                }
            } catch (IOException e) {
                LOG.debug("config server '{}' confirms nothing", each.getKey(), e);
            }
        }
        LOG.info("config server '{}' says that it leads, and no other one does", leader);
        return false;
    }

    /**
     * Sends an archive to the other servers that answered the last time: one of them may say that
     * it has the archive, and not have it. If they are not enough, it sends the archive to others.
     *
     * @param enough how many
     * @return how many have it; fewer than enough if the others do not answer
     */
    int keep(String archive, Path file, int enough) {
        List<Map.Entry<String, ConfigClient>> order = new ArrayList<>(clients.entrySet());
        // Those that answered the last time first.
        order.sort(Comparator.comparingInt(each -> answers.containsKey(each.getKey()) ? 0 : 1));
        int count = 0;
        for (Map.Entry<String, ConfigClient> each : order) {
            if (count >= enough && !answers.containsKey(each.getKey())) {
                return count;
            }
            try {
                each.getValue().keep(archive, file);
                count++;
            } catch (IOException e) {
                LOG.warn("config server '{}' did not keep a package", each.getKey(), e);
            }
        }
        return count;
    }

    /** Copies an archive from the first server that has it. Returns whether one has. */
    boolean fetch(String archive, ArchiveFiles to) {
        for (Map.Entry<String, ConfigClient> each : clients.entrySet()) {
            try {
                to.receive(archive, out -> each.getValue().copyArchive(archive, out));
                return true;
            } catch (IOException e) {
                LOG.info(
                        "archive {} was not copied from '{}': {}",
                        archive,
                        each.getKey(),
                        e.getMessage());
            }
        }
        return false;
    }

    @Override
    public void close() {
        clients.values().forEach(ConfigClient::close);
    }
}
