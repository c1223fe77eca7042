package org.crabro.content.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.crabro.content.storage.integrity.ManifestRebuild;
import org.crabro.content.storage.integrity.ManifestRepair;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ManifestRepairTest {
    @TempDir Path directory;

    /** The runs of the golden data are flushed, merged and merged in part. */
    @ParameterizedTest
    @ValueSource(strings = {"closed-1", "killed-1"})
    void makesManifestsFromTheRuns(String name) throws IOException {
        Path data = directory.resolve("data");
        Path unpacked = directory.resolve("package");
        GoldenData.unpack(name, data);
        for (Path file : manifests(data)) {
            Files.write(file, new byte[(int) Files.size(file)]);
        }
        Map<Path, Long> before = sizes(data);
        assertThatException()
                .isThrownBy(() -> GoldenNode.open(data, unpacked))
                .withMessageContaining("crabro rebuild-manifest");

        Map<Integer, ManifestRebuild.Report> reports = ManifestRepair.run(data, false);

        assertThat(reports).containsOnlyKeys(0, 1, 2, 3);
        assertThat(reports.values()).allSatisfy(each -> assertThat(each.damage()).isEmpty());
        assertThat(sizes(data)).isEqualTo(before);

        ManifestRepair.run(data, true);

        assertThat(ManifestRepair.run(data, false)).isEmpty();
        for (int i = 0; i < 2; i++) {
            try (GoldenNode golden = GoldenNode.open(data, unpacked)) {
                assertThat(golden.contents()).isEqualTo(GoldenData.expected(name));
                golden.node().flush();
            }
        }
    }

    @Test
    void goesOnWithoutADirectoryThatIsMissingAndTellsOfADamagedRun() throws IOException {
        Path data = directory.resolve("data");
        Path unpacked = directory.resolve("package");
        GoldenData.unpack("closed-1", data);
        GoldenNode.open(data, unpacked).close();
        for (Path file : GoldenData.files(data.resolve("partitions/03"))) {
            Files.delete(file);
        }
        for (Path file : manifests(data.resolve("partitions/02"))) {
            Files.delete(file);
        }
        Path run = data.resolve("partitions/02/6.run");
        byte[] bytes = Files.readAllBytes(run);
        bytes[bytes.length - 100] ^= 1;
        Files.write(run, bytes);
        assertThatException().isThrownBy(() -> GoldenNode.open(data, unpacked));

        Map<Integer, ManifestRebuild.Report> reports = ManifestRepair.run(data, true);

        assertThat(reports).containsOnlyKeys(2, 3);
        assertThat(report(reports, 2).damage())
                .extracting(each -> each.file())
                .containsExactly("partitions/02/6.run");
        assertThat(report(reports, 3).runs()).isZero();
        String left;
        try (GoldenNode golden = GoldenNode.open(data, unpacked)) {
            left = golden.contents();
        }
        assertThat(left.lines().count()).isGreaterThan(10);
        assertThat(GoldenData.files(data.resolve("lost+found/kept")))
                .anyMatch(file -> file.toString().endsWith("partitions-02-6.run"));
    }

    @Test
    void goesOnWithoutARunWhoseFooterIsDamagedOrThatIsMissing() throws IOException {
        Path data = directory.resolve("data");
        Path unpacked = directory.resolve("package");
        GoldenData.unpack("closed-1", data);
        Path damaged = data.resolve("partitions/01/3.run");
        byte[] bytes = Files.readAllBytes(damaged);
        bytes[bytes.length - 150] ^= 1;
        Files.write(damaged, bytes);
        Files.delete(data.resolve("partitions/00/7.run"));
        assertThatException()
                .isThrownBy(() -> GoldenNode.open(data, unpacked))
                .withMessageContaining("partitions/00/7.run at 0: ")
                .withMessageContaining("crabro rebuild-manifest");

        Map<Integer, ManifestRebuild.Report> reports = ManifestRepair.run(data, true);

        assertThat(reports).containsOnlyKeys(0, 1);
        assertThat(report(reports, 1).problem()).contains("partitions/01/3.run at ");
        try (GoldenNode golden = GoldenNode.open(data, unpacked)) {
            assertThat(golden.contents().lines().count()).isGreaterThan(50);
        }
        assertThat(data.resolve("partitions/01/3.run")).doesNotExist();
        assertThat(GoldenData.files(data.resolve("lost+found/kept")))
                .anyMatch(file -> file.toString().endsWith("partitions-01-3.run"));
    }

    private static ManifestRebuild.Report report(
            Map<Integer, ManifestRebuild.Report> reports, int partition) {
        return Objects.requireNonNull(reports.get(partition));
    }

    private static List<Path> manifests(Path below) throws IOException {
        return GoldenData.files(below).stream()
                .filter(file -> file.getFileName().toString().startsWith("manifest."))
                .toList();
    }

    private static Map<Path, Long> sizes(Path data) throws IOException {
        Map<Path, Long> sizes = new TreeMap<>();
        for (Path file : GoldenData.files(data)) {
            sizes.put(file, Files.size(file));
        }
        return sizes;
    }
}
