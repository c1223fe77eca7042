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
import java.util.Random;
import java.util.Set;
import org.crabro.config.application.PackageLimits;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ArchiveFilesTest {
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
        return ArchiveFiles.open(directory.resolve(name));
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

        assertThat(to.write(part(name, all, 0, 0))).isFalse();
        for (int offset = 0; offset < all.length; offset += size) {
            int count = Math.min(size, all.length - offset);
            assertThat(to.has(name)).isFalse();
            assertThat(to.write(part(name, all, offset, count)))
                    .isEqualTo(offset + count == all.length);
        }

        assertThat(to.write(part(name, all, 0, 0))).as("it is there already").isTrue();
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
                .isThrownBy(() -> to.write(part(name, all, 0, all.length)))
                .withMessageContaining("expected " + name);
        assertThatIOException().isThrownBy(() -> to.receive(name, out -> out.write(all)));
        assertThat(to.has(name)).isFalse();
        assertThatIllegalArgumentException().isThrownBy(() -> to.has("../" + name));
    }

    @Test
    void deletesOldArchivesThatAreNotNeeded() throws IOException {
        ArchiveFiles archives = archives("a");
        String kept = archives.add(files);
        Files.writeString(files.resolve("more"), "1");
        String unused = archives.add(files);
        Instant now = Instant.now();

        archives.deleteUnused(Set.of(kept), now);
        assertThat(archives.has(unused)).isTrue();
        archives.deleteUnused(Set.of(kept), now.plus(ArchiveFiles.UNUSED_MAX).plusSeconds(60));

        assertThat(archives.has(unused)).isFalse();
        assertThat(archives.has(kept)).isTrue();
    }
}
