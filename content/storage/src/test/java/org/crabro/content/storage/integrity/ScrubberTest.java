package org.crabro.content.storage.integrity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.crabro.content.storage.block.EncodedBlock;
import org.crabro.content.storage.block.key.KeyRange;
import org.crabro.content.storage.block.key.RowKey;
import org.crabro.content.storage.file.CorruptRunException;
import org.crabro.content.storage.file.DamageRegister;
import org.crabro.content.storage.journal.Damage;
import org.crabro.content.storage.journal.LostFiles;
import org.crabro.content.storage.partition.LeakCheckedFiles;
import org.crabro.content.storage.partition.RandomRows;
import org.crabro.content.storage.partition.RunLog;
import org.crabro.content.storage.partition.RunName;
import org.crabro.content.storage.run.RunView;
import org.crabro.protocol.encoding.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ScrubberTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);
    private static final String DIRECTORY = "partitions/05";
    private static final int RATE = 1_000;

    @RegisterExtension final LeakCheckedFiles files = new LeakCheckedFiles();

    private final RandomRows random = new RandomRows(SEED);
    private final TestTime time = new TestTime();

    /** A clock that advances when a thread waits for it. */
    private static final class TestTime implements ScrubTime {
        private long nanos = 5;
        private int pausesLeft = Integer.MAX_VALUE;
        private final List<Long> pauses = new ArrayList<>();
        private final CountDownLatch ended = new CountDownLatch(1);

        @Override
        public synchronized long nanoTime() {
            return nanos;
        }

        @Override
        public synchronized Instant now() {
            return Instant.EPOCH.plusNanos(nanos);
        }

        @Override
        public synchronized boolean pause(long wanted) {
            nanos += Math.max(0, wanted);
            pauses.add(wanted);
            pausesLeft--;
            if (pausesLeft == 0) {
                ended.countDown();
            }
            return pausesLeft > 0;
        }

        @Override
        public synchronized void end() {
            pausesLeft = 0;
        }
    }

    @Test
    void readsAllBytesAtTheRateThatIsSet() throws Exception {
        long bytes = writeRuns(5);
        Scrubber scrubber = scrubber();
        long begun = time.nanoTime();

        assertThat(scrubber.pass()).isTrue();

        ScrubStatistics statistics = scrubber.statistics();
        assertThat(statistics.bytes()).isGreaterThanOrEqualTo(bytes);
        assertThat(statistics.passes()).isEqualTo(1);
        assertThat(statistics.lastPass()).contains(time.now());
        assertThat(statistics.damagedFiles()).isZero();
        Duration taken = Duration.ofNanos(time.nanoTime() - begun);
        assertThat(taken)
                .isBetween(
                        Duration.ofSeconds(statistics.bytes() / RATE),
                        Duration.ofSeconds(statistics.bytes() / RATE + 1));
    }

    @Test
    void findsDamageThatNobodyTouchedAndForgetsItWhenItIsGone() throws Exception {
        writeRuns(3);
        Scrubber scrubber = scrubber();
        String run = DIRECTORY + "/2.run";
        files.flip(run, 64 + 2_000, 4);

        scrubber.pass();

        assertThat(scrubber.statistics().damagedFiles()).isEqualTo(1);
        assertThat(scrubber.register().isDamaged(run)).isTrue();
        assertThat(scrubber.register().damage())
                .singleElement()
                .extracting(Damage::file)
                .isEqualTo(run);

        files.flip(run, 64 + 2_000, 4);
        scrubber.pass();

        assertThat(scrubber.statistics().damagedFiles()).isZero();
    }

    @Test
    void reportsDamageToReadersThatReadTheSameBytesBefore() throws Exception {
        writeRuns(1);
        var register = new DamageRegister();
        Scrubber scrubber = scrubber(names(), register);
        String run = DIRECTORY + "/1.run";
        try (RunLog log =
                        RunLog.open(
                                files,
                                DIRECTORY,
                                RandomRows.TYPES,
                                register,
                                new LostFiles(files, InstantSource.system()),
                                Optional.empty());
                RunView view = log.acquire()) {
            EncodedBlock block = first(view);
            block.checkKeys();
            long keys = 64 + block.keyExtents().getFirst().offset();

            files.flip(run, keys, 4);
            scrubber.pass();

            String words = register.damage().getFirst().toString();
            assertThatExceptionOfType(CorruptRunException.class)
                    .isThrownBy(() -> first(view).checkKeys())
                    .satisfies(e -> assertThat(e.damage()).hasToString(words));

            files.flip(run, keys, 4);
            scrubber.pass();

            first(view).checkKeys();
        }
    }

    private static EncodedBlock first(RunView view) {
        return view.slices("mail", new KeyRange.Everything()).getFirst().block();
    }

    @Test
    void forgetsDamageOfFilesThatAreGone() throws Exception {
        writeRuns(3);
        String run = DIRECTORY + "/2.run";
        files.flip(run, 64 + 2_000, 4);
        List<RunName> names = new ArrayList<>(names());
        Scrubber scrubber = scrubber(names);
        scrubber.pass();
        assertThat(scrubber.register().fileCount()).isEqualTo(1);

        names.removeIf(name -> name.file().equals(run));
        scrubber.pass();

        assertThat(scrubber.register().fileCount()).isZero();
    }

    @Test
    void passesOverARunThatWasMergedAwayMeanwhile() throws Exception {
        writeRuns(3);
        List<RunName> names = names();
        files.delete(DIRECTORY + "/2.run");
        Scrubber scrubber = scrubber(names);

        assertThat(scrubber.pass()).isTrue();

        assertThat(scrubber.register().fileCount()).isZero();
    }

    @Test
    void stopsInTheMiddleOfARun() throws Exception {
        writeRuns(3);
        Scrubber scrubber = scrubber();
        time.pausesLeft = 3;

        assertThat(scrubber.pass()).isFalse();

        assertThat(scrubber.statistics().passes()).isZero();
    }

    @Test
    void beginsAPassEveryInterval() throws Exception {
        writeRuns(1);
        time.pausesLeft = 50;

        Scrubber scrubber = scrubber();
        try (scrubber) {
            scrubber.start();
            time.ended.await();
        }

        assertThat(scrubber.statistics().passes()).isGreaterThan(1);
        long day = Duration.ofDays(1).toNanos();
        assertThat(time.pauses).anySatisfy(pause -> assertThat(pause).isBetween(day / 2, day));
    }

    private Scrubber scrubber() throws IOException {
        return scrubber(names());
    }

    private Scrubber scrubber(List<RunName> names) {
        return scrubber(names, new DamageRegister());
    }

    private Scrubber scrubber(List<RunName> names, DamageRegister register) {
        return new Scrubber(
                new Scrubber.StoredRuns(files, RandomRows.TYPES, () -> names),
                new ScrubSettings(RATE, Duration.ofDays(1)),
                register,
                time,
                new Random(SEED));
    }

    private List<RunName> names() throws IOException {
        try (RunLog log = RunLog.open(files, DIRECTORY, RandomRows.TYPES)) {
            return log.names();
        }
    }

    private long writeRuns(int count) throws IOException {
        long bytes = 0;
        try (RunLog log = RunLog.open(files, DIRECTORY, RandomRows.TYPES)) {
            for (int i = 1; i <= count; i++) {
                log.add(
                        run -> {
                            run.begin(RandomRows.MAIL);
                            for (Row row : random.rows(RandomRows.MAIL, 500)) {
                                run.add(RowKey.of(row.id()), RandomRows.encoded(row));
                            }
                        },
                        1,
                        1,
                        1);
                bytes += files.bytes(DIRECTORY + "/" + i + ".run").length;
            }
        }
        return bytes;
    }
}
