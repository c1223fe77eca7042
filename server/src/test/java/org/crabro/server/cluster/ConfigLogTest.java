package org.crabro.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.opentelemetry.api.trace.TracerProvider;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.crabro.content.replication.raft.RatisSettings;
import org.crabro.protocol.transport.AllowedCallers;
import org.crabro.protocol.transport.CallLimits;
import org.crabro.protocol.transport.ClusterHosts;
import org.crabro.protocol.transport.NodeAddress;
import org.crabro.protocol.transport.NodeSecurity;
import org.crabro.server.cluster.PeerHello.Founding;
import org.crabro.server.cluster.PeerHello.Member;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The record with which a new data directory takes part in the group of the config servers. */
class ConfigLogTest {
    private static final Founding FOUNDING =
            new Founding("c", List.of(member("h1"), member("h2"), member("h3")));

    @TempDir private Path directory;

    private static Member member(String host) {
        return new Member(host, host + "-1", "127.0.0.1:1", "127.0.0.1:2");
    }

    private ConfigLog open() throws Exception {
        NodeSecurity security = NodeSecurity.of(Optional.empty());
        return ConfigLog.open(
                new HostSettings(
                        "h3",
                        NodeAddress.LOOPBACK,
                        HostPorts.open(new JsonValueFile(directory.resolve("ports.json")), 0),
                        security,
                        new CallLimits(10, 1 << 20),
                        TracerProvider.noop().get("test")),
                RatisSettings.Peers.of(security, AllowedCallers.CONFIG_SERVERS, ClusterHosts.ANY),
                directory.resolve("log"),
                new Ignored(),
                reason -> {
                    throw new IllegalStateException(reason);
                });
    }

    /** The term is of no interest. */
    private static final class Ignored implements SharedRecord.Leading {
        @Override
        public void begins(long term) {
            throw new IllegalStateException("a joining server does not lead");
        }

        @Override
        public void ends() {
            throw new IllegalStateException("a joining server does not lead");
        }

        @Override
        public void changed(ClusterRecord record) {
            throw new IllegalStateException("nothing is committed");
        }
    }

    private static LogSnapshot snapshot(long term, long index, String content) {
        return new LogSnapshot(
                term, index, ByteBuffer.wrap(content.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void joinsWithNoRecordThatCannotBeOfTheGroup() throws Exception {
        String own =
                new String(
                        ClusterJson.write(ClusterRecord.of("c").withRevision(7)),
                        StandardCharsets.UTF_8);
        try (ConfigLog log = open()) {
            for (LogSnapshot lie :
                    List.of(
                            snapshot(3, 9, own.replace("\"c\"", "\"other\"")),
                            snapshot(0, 9, own),
                            snapshot(-1, 9, own),
                            snapshot(3, 6, own),
                            snapshot(3, Long.MIN_VALUE, own),
                            snapshot(3, 9, "{}"),
                            snapshot(3, 9, "null"),
                            snapshot(3, 9, own.substring(3)))) {
                assertThatIOException()
                        .isThrownBy(() -> log.join(FOUNDING, Optional.of(lie)))
                        .withMessageStartingWith("the record of the leader ");
                assertThat(log.founding()).isEmpty();
                assertThat(log.record()).isEmpty();
            }

            log.join(FOUNDING, Optional.of(snapshot(3, 9, own)));

            assertThat(log.record().orElseThrow().record().revision()).isEqualTo(7);
        }
    }
}
