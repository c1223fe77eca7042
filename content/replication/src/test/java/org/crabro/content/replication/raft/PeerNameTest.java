package org.crabro.content.replication.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;
import org.crabro.content.storage.journal.FaultyLogFiles;
import org.crabro.content.storage.journal.FaultyLogFiles.Loss;
import org.crabro.content.storage.journal.LogFiles;
import org.junit.jupiter.api.Test;

class PeerNameTest {
    private final FaultyLogFiles files = new FaultyLogFiles(new Random(1));

    @Test
    void anEmptyDirectoryIsAnotherPeer() throws IOException {
        String one = PeerName.of(files, "h1", new Random(1));
        String other = PeerName.of(new FaultyLogFiles(new Random(1)), "h1", new Random(2));

        assertThat(one).matches("h1-[0-9a-f]{16}");
        assertThat(other).matches("h1-[0-9a-f]{16}").isNotEqualTo(one);
    }

    @Test
    void aDirectoryKeepsItsName() throws IOException {
        String name = PeerName.of(files, "h1", new Random(1));

        assertThat(PeerName.of(files.afterCrash(Loss.EVERYTHING), "h2", new Random(2)))
                .isEqualTo(name);
    }

    @Test
    void aCrashDuringTheFirstStartLeavesNoHalfName() throws IOException {
        for (int stop = 1; stop < 8; stop++) {
            var stopping = new FaultyLogFiles(new Random(stop));
            stopping.stopAfter(stop);
            try {
                PeerName.of(stopping, "h1", new Random(1));
            } catch (FaultyLogFiles.StoppedException _) {
                // The process ended here.
            }

            assertThat(PeerName.of(stopping.afterCrash(Loss.SOME), "h1", new Random(2)))
                    .as("stop %d", stop)
                    .matches("h1-[0-9a-f]{16}");
        }
    }

    @Test
    void refusesADamagedName() throws IOException {
        try (LogFiles.LogFile file = files.create(PeerName.PATH)) {
            file.write(ByteBuffer.wrap(new byte[] {'h', ' ', '\n'}), 0);
        }

        assertThatIOException()
                .isThrownBy(() -> PeerName.of(files, "h1", new Random(1)))
                .withMessage("'peer' at byte 0: expected the name of a peer, found 'h \n'");
    }

    @Test
    void refusesAHostThatIsNoName() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PeerName.of(files, "h 1", new Random(1)))
                .withMessage("'h 1' is no name of a host");
    }
}
