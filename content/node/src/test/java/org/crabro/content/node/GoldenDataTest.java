package org.crabro.content.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.crabro.content.storage.integrity.Inspection;
import org.crabro.content.storage.integrity.Restore;
import org.crabro.content.storage.journal.Damage;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A complete data directory of an earlier version opens, and accepts writes. */
class GoldenDataTest {
    @TempDir Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"closed-1", "killed-1", "backup-1", "backup-2"})
    void opensWhatAnEarlierVersionWrote(String name) throws IOException {
        Path data = directory.resolve("data");
        Path unpacked = directory.resolve("package");
        GoldenData.unpack(name, data);
        assertThat(damage(data)).isEmpty();

        try (GoldenNode golden = GoldenNode.open(data, unpacked)) {
            assertThat(golden.contents()).isEqualTo(GoldenData.expected(name));
        }
        assertThat(damage(data)).isEmpty();

        String written;
        try (GoldenNode golden = GoldenNode.open(data, unpacked)) {
            assertThat(golden.contents()).isEqualTo(GoldenData.expected(name));
            golden.feed(7, 50);
            golden.node().flush();
            golden.feed(8, 20);
            written = golden.contents();
        }
        assertThat(written).contains("round 7 ", "round 8 ");
        assertThat(damage(data)).isEmpty();
        try (GoldenNode golden = GoldenNode.open(data, unpacked)) {
            assertThat(golden.contents()).isEqualTo(written);
        }
    }

    @ParameterizedTest
    @CsvSource({"backup-1, ''", "backup-2, packages/1/services.xml"})
    void restoresABackupOfAnEarlierVersion(String name, String attached) throws IOException {
        Path backup = directory.resolve("backup");
        Path data = directory.resolve("data");
        GoldenData.unpack(name, backup);

        Restore.Report report = Restore.check(backup).into(data);

        assertThat(String.join(",", report.attached())).isEqualTo(attached);
        for (String path : report.attached()) {
            assertThat(data.resolve(path))
                    .hasSameTextualContentAs(backup.resolve(path))
                    .content()
                    .contains("<services");
        }
        try (GoldenNode golden = GoldenNode.open(data, directory.resolve("package"))) {
            assertThat(golden.contents()).isEqualTo(GoldenData.expected(name));
        }
    }

    private static Iterable<Damage> damage(Path data) throws IOException {
        var inspected = new InspectionTest.Inspected();
        Inspection.run(data, new Inspection.Options(true, true, 10), inspected);
        return inspected.damage;
    }
}
