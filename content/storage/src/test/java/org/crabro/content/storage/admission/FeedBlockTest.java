package org.crabro.content.storage.admission;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.OptionalDouble;
import java.util.Random;
import org.crabro.content.storage.journal.FaultyLogFiles;
import org.crabro.content.storage.journal.LogFiles.LogFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FeedBlockTest {
    private static final int CAPACITY = 10_000;

    /** Large enough that the free space is read at each write. */
    private static final int BYTES = 800;

    private static final FeedLimits LIMITS =
            FeedLimits.DEFAULT.withReservedBytes(1_000).withDisk(0.8, 9_000).withMemory(0.7);

    private final FaultyLogFiles files = new FaultyLogFiles(new Random(1));
    private double memory = 0.1;
    private final FeedBlock block = new FeedBlock(files, LIMITS, () -> memory);
    private LogFile file;

    FeedBlockTest() throws IOException {
        file = files.create("data");
    }

    @BeforeEach
    void limit() {
        files.limitCapacity(CAPACITY);
    }

    @AfterEach
    void close() throws IOException {
        file.close();
    }

    @Test
    void admitsWritesBelowTheLimits() throws IOException {
        use(7_900);

        assertThat(block.refusal(BYTES, false)).isEmpty();
        assertThat(block.blocked()).isEmpty();
    }

    @Test
    void refusesPutsAboveTheLimitOfTheDiskUntilItIsOnePercentLess() throws IOException {
        use(8_100);
        assertThat(block.refusal(BYTES, false))
                .contains("disk on node 0 is 81.0% full (configured limit 80.0%)");
        assertThat(block.refusal(BYTES, true)).isEmpty();

        use(7_950);
        assertThat(block.refusal(BYTES, false))
                .contains(
                        "disk on node 0 is 79.5% full (configured limit 80.0%, effective limit"
                                + " 79.0%)");

        use(7_800);
        assertThat(block.refusal(BYTES, false)).isEmpty();
    }

    @Test
    void acceptsADiskWithEnoughFreeBytes() throws IOException {
        use(9_900);
        files.limitCapacity(100_000 + 9_900);
        var narrow = new FeedBlock(files, LIMITS.withDisk(0.01, 100_000), () -> memory);

        assertThat(narrow.refusal(10, false)).isEmpty();
    }

    @Test
    void refusesPutsAboveTheLimitOfMemory() throws IOException {
        memory = 0.75;
        assertThat(block.refusal(BYTES, false))
                .contains("memory on node 0 is 75.0% full (configured limit 70.0%)");

        memory = 0.695;
        assertThat(block.blocked()).isPresent();

        memory = 0.68;
        assertThat(block.refusal(BYTES, false)).isEmpty();
    }

    @Test
    void appliesOtherLimitsAtOnceAndItsOwnAgain() throws IOException {
        use(5_000);
        files.limitCapacity(1_000_000);
        assertThat(block.refusal(1, false)).isEmpty();

        block.limit(OptionalDouble.of(0.004), OptionalDouble.empty());
        assertThat(block.refusal(1, false))
                .contains("disk on node 0 is 0.5% full (configured limit 0.4%)");

        block.limit(OptionalDouble.empty(), OptionalDouble.of(0.05));
        assertThat(block.refusal(1, false))
                .contains("memory on node 0 is 10.0% full (configured limit 5.0%)");

        block.limit(OptionalDouble.empty(), OptionalDouble.empty());
        assertThat(block.refusal(1, false)).isEmpty();
    }

    @Test
    void admitsWritesIfMemoryCannotBeMeasured() throws IOException {
        memory = Double.NaN;

        assertThat(block.refusal(BYTES, false)).isEmpty();
    }

    @Test
    void keepsTheReserveFromPutsAndHalfOfItFromRemoves() throws IOException {
        use(9_100);
        assertThat(block.refusal(10, false)).get().asString().contains("900 bytes free", "1,000");
        assertThat(block.refusal(10, true)).isEmpty();

        use(9_600);
        assertThat(block.refusal(10, true)).isPresent();
    }

    @Test
    void admitsNoPutBelowTheReserveAfterARemoveWasAdmitted() throws IOException {
        var reserve = new FeedBlock(files, LIMITS.withDisk(1, 0), () -> memory);
        use(9_010);
        assertThat(reserve.refusal(10, true)).isEmpty();

        assertThat(reserve.refusal(10, false)).get().asString().contains("990 bytes free");
    }

    private void use(int bytes) throws IOException {
        file.resize(0);
        file.write(ByteBuffer.allocate(bytes), 0);
    }
}
