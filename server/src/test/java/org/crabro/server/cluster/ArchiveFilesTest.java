package org.crabro.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.crabro.config.application.PackageLimits;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ArchiveFilesTest {
    private static final long BYTES_MAX = 200_000;

    @TempDir private Path directory;
    private Path files = Path.of("");

    @BeforeEach
    void write() throws IOException {
        files = Files.createDirectories(directory.resolve("package"));
        Files.createDirectories(files.resolve("schemas"));
        Files.createDirectories(files.resolve("empty"));
        Files.writeString(files.resolve("services.xml"), "<services/>");
        var bytes = new byte[100_000];
        new Random(7).nextBytes(bytes);
        Files.write(files.resolve("schemas/a.sd"), bytes);
    }

    private ArchiveFiles archives(String name) throws IOException {
        return ArchiveFiles.open(directory.resolve(name), BYTES_MAX);
    }

    @Test
    void namesTheSameFilesAlike() throws IOException {
        String name = archives("a").add(files);
        Files.setLastModifiedTime(
                files.resolve("services.xml"), FileTime.from(Instant.ofEpochSecond(1)));

        assertThat(archives("b").add(files)).isEqualTo(name);
        Files.writeString(files.resolve("services.xml"), "<services />");
        assertThat(archives("b").add(files)).isNotEqualTo(name);
    }

    @Test
    void copiesAnArchiveInParts() throws IOException {
        ArchiveFiles from = archives("from");
        ArchiveFiles to = archives("to");
        String name = from.add(files);
        byte[] all = Files.readAllBytes(from.path(name));
        int size = 30_000;

        assertThat(to.write("h1", part(name, all, 0, 0))).isFalse();
        for (int offset = 0; offset < all.length; offset += size) {
            int count = Math.min(size, all.length - offset);
            assertThat(to.has(name)).isFalse();
            assertThat(to.write("h1", part(name, all, offset, count)))
                    .isEqualTo(offset + count == all.length);
        }

        assertThat(to.write("h1", part(name, all, 0, 0))).as("it is there already").isTrue();
        to.unpack(name, directory.resolve("unpacked"), PackageLimits.DEFAULT);
        assertThat(directory.resolve("unpacked/schemas/a.sd"))
                .hasSameBinaryContentAs(files.resolve("schemas/a.sd"));
        assertThat(directory.resolve("unpacked/services.xml")).hasContent("<services/>");
    }

    private static ArchivePart part(String name, byte[] all, int offset, int count) {
        var part = new ArchivePart(name, offset, all.length, ByteBuffer.wrap(all, offset, count));
        return ArchivePart.decode(part.encode());
    }

    @Test
    void rejectsOtherBytes() throws IOException {
        ArchiveFiles from = archives("from");
        ArchiveFiles to = archives("to");
        String name = from.add(files);
        byte[] all = Files.readAllBytes(from.path(name));
        all[500] ^= 1;

        assertThatIOException()
                .isThrownBy(() -> to.write("h1", part(name, all, 0, all.length)))
                .withMessageContaining("expected " + name);
        assertThatIOException().isThrownBy(() -> to.receive(name, out -> out.write(all)));
        assertThat(to.has(name)).isFalse();
        assertThatIllegalArgumentException().isThrownBy(() -> to.has("../" + name));
    }

    /** An offset of 2^42 made a file of four terabytes, which was then read. */
    @Test
    void writesNothingForPartsThatBeginElsewhere() throws IOException {
        ArchiveFiles from = archives("from");
        ArchiveFiles to = archives("to");
        String name = from.add(files);
        byte[] all = Files.readAllBytes(from.path(name));
        ByteBuffer some = ByteBuffer.wrap(all, 0, 100);

        for (long length : List.of(BYTES_MAX + 1, 1L << 42, Long.MAX_VALUE)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(
                            () -> to.write("h1", new ArchivePart(name, length - 100, length, some)))
                    .withMessage("an archive of %d bytes, of at most 200000".formatted(length));
        }
        for (int offset : List.of(1, 99_000)) {
            assertThatIOException()
                    .isThrownBy(() -> to.write("h1", part(name, all, offset, 100)))
                    .withMessage(
                            "a part of archive %s begins at byte %d, expected 0"
                                    .formatted(name, offset));
        }
        assertThat(directory.resolve("to")).isEmptyDirectory();

        assertThat(to.write("h1", part(name, all, 0, 1_000))).isFalse();
        assertThatIOException().isThrownBy(() -> to.write("h1", part(name, all, 2_000, 1_000)));
        assertThatIOException().isThrownBy(() -> to.write("h1", part(name, all, 500, 1_000)));
        assertThat(to.write("h1", part(name, all, 0, 10))).as("a new begin").isFalse();
        assertThat(to.write("h1", part(name, all, 10, all.length - 10))).isTrue();
        assertThatIOException()
                .isThrownBy(() ->
                        to.receive(
                                "0".repeat(64),
                                out -> {
                                    for (int i = 0; i < 3; i++) {
                                        out.write(all);
                                    }
                                }))
                .withMessage("an archive has more than 200000 bytes");
        try (var left = Files.list(directory.resolve("to"))) {
            assertThat(left).hasSize(1);
        }
    }

    @Test
    void boundsTheArchivesThatAreReceived() throws IOException {
        ArchiveFiles to = archives("to");
        byte[] all = new byte[100];

        for (int i = 0; i < 3 * ArchiveFiles.RECEIVED_MAX; i++) {
            assertThat(to.write("h1", part("%064x".formatted(i), all, 0, 50))).isFalse();
        }

        try (var left = Files.list(directory.resolve("to"))) {
            assertThat(left).hasSize(ArchiveFiles.RECEIVED_MAX);
        }
        assertThatIOException()
                .isThrownBy(() -> to.write("h1", part("%064x".formatted(0), all, 50, 50)));
    }

    /** A sender could end the archives of another one. */
    @Test
    void oneSenderDoesNotDisturbAnother() throws IOException {
        ArchiveFiles from = archives("from");
        ArchiveFiles to = archives("to");
        String name = from.add(files);
        byte[] all = Files.readAllBytes(from.path(name));

        assertThat(to.write("h1", part(name, all, 0, 1_000))).isFalse();
        for (int i = 0; i < 3 * ArchiveFiles.RECEIVED_MAX; i++) {
            assertThat(to.write("h2", part("%064x".formatted(i), all, 0, 50))).isFalse();
            assertThat(to.write("h2", part(name, new byte[all.length], 0, 10 + i))).isFalse();
        }
        assertThatIOException()
                .isThrownBy(() -> to.write("h2", part(name, new byte[all.length], 0, all.length)));
        assertThat(to.write("h1", part(name, all, 1_000, all.length - 1_000))).isTrue();
    }

    @Test
    void boundsTheArchivesThatAreNotNeeded() throws IOException {
        ArchiveFiles archives = archives("a");
        String needed = archives.add(files);
        for (int i = 0; i < 2 * ArchiveFiles.UNUSED_COUNT; i++) {
            Files.writeString(files.resolve("more"), "" + i);
            Files.setLastModifiedTime(
                    archives.path(archives.add(files)),
                    FileTime.from(Instant.now().minusSeconds(100 - i)));
        }
        String newest = archives.add(files);

        archives.deleteUnused(Set.of(needed), Instant.now());

        try (var left = Files.list(directory.resolve("a"))) {
            assertThat(left).hasSize(ArchiveFiles.UNUSED_COUNT + 1);
        }
        assertThat(archives.has(needed)).isTrue();
        assertThat(archives.has(newest)).isTrue();
    }

    @Test
    void deletesOldArchivesThatAreNotNeeded() throws IOException {
        ArchiveFiles archives = archives("a");
        String archive = archives.add(files);
        Files.writeString(files.resolve("more"), "1");
        String unused = archives.add(files);
        Instant now = Instant.now();

        archives.deleteUnused(Set.of(archive), now);
        assertThat(archives.has(unused)).isTrue();
        archives.deleteUnused(Set.of(archive), now.plus(ArchiveFiles.UNUSED_MAX).plusSeconds(60));

        assertThat(archives.has(unused)).isFalse();
        assertThat(archives.has(archive)).isTrue();
    }
}
