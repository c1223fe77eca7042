package org.crabro.content.storage.replica;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.util.Optional;
import java.util.Random;
import org.crabro.content.storage.journal.FaultyLogFiles;
import org.crabro.content.storage.journal.FaultyLogFiles.Loss;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ShardRecordTest {
    private static final long SEED = Long.getLong("crabro.seed", 20_26);
    private static final String NAME = "shard-0";

    @Test
    void keepsWhatWasWrittenForTheLatestEntry() throws IOException {
        var files = new FaultyLogFiles(new Random(SEED));
        ShardRecord record = ShardRecord.open(files, NAME);
        assertThat(record.content()).isEmpty();

        record.write(content(1, 10));
        record.write(content(2, 30));
        record.write(content(2, 20));

        assertThat(text(record)).contains("2/30");
        assertThat(text(ShardRecord.open(files, NAME))).contains("2/30");
        files.checkNothingIsLeft();
    }

    @ParameterizedTest
    @EnumSource
    void hasTheOldOrTheNewRecordWhereverAWriteStops(Loss loss) throws IOException {
        for (int stop = 1; stop < 30; stop++) {
            var files = new FaultyLogFiles(new Random(SEED + stop));
            files.stopAfter(stop);
            int acknowledged = 0;
            try {
                ShardRecord record = ShardRecord.open(files, NAME);
                while (true) {
                    record.write(content(1, acknowledged + 1));
                    acknowledged++;
                }
            } catch (FaultyLogFiles.StoppedException _) {
                // The process ended here.
            }
            FaultyLogFiles after = files.afterCrash(loss);

            Optional<String> text = text(ShardRecord.open(after, NAME));

            assertThat(text.orElse("1/0"))
                    .as("stop %d, %s, seed %d", stop, loss, SEED)
                    .isIn("1/" + acknowledged, "1/" + (acknowledged + 1));
            // What was read once is there after the next crash too.
            assertThat(text(ShardRecord.open(after.afterCrash(Loss.EVERYTHING), NAME)))
                    .isEqualTo(text);
        }
    }

    @Test
    void readsTheOtherFileIfOneIsDamagedAndRefusesTwo() throws IOException {
        var files = new FaultyLogFiles(new Random(SEED));
        ShardRecord record = ShardRecord.open(files, NAME);
        record.write(content(1, 10));
        record.write(content(1, 20));

        files.damage(ShardRecord.DIRECTORY + "/" + NAME + ".2", 40);
        assertThat(text(ShardRecord.open(files, NAME))).contains("1/10");

        files.damage(ShardRecord.DIRECTORY + "/" + NAME + ".1", 0);
        assertThatIOException()
                .isThrownBy(() -> ShardRecord.open(files, NAME))
                .withMessage(
                        "shards/shard-0.1 and shards/shard-0.2 at byte 0: expected the record of a"
                                + " shard, found other bytes in both files");
    }

    private static ShardRecord.Content content(long term, long index) {
        return ShardRecord.Content.of(
                term, index, "record %d/%d".formatted(term, index).getBytes(UTF_8));
    }

    private static Optional<String> text(ShardRecord record) {
        return record.content()
                .map(each -> {
                    String text = new String(each.bytes().getFirst(), UTF_8);
                    assertThat(text).isEqualTo("record %d/%d".formatted(each.term(), each.index()));
                    return each.term() + "/" + each.index();
                });
    }
}
