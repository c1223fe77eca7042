package org.crabro.config.application;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.crabro.config.application.PackageArchive.Format;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Archives with some changed bytes: each is unpacked, or rejected as broken, without other errors.
 */
class ArchiveFuzzTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);
    private static final int ARCHIVES = Integer.getInteger("crabro.archives", 400);
    private static final int CHANGES_MAX = 3;
    private static final PackageLimits LIMITS = new PackageLimits(20, 100_000, 200);
    private static final List<String> NAMES =
            List.of("services.xml", "schemas/note.sd", "schemas/note/a.profile");

    @TempDir Path temporary;

    private final Random random = new Random(SEED);

    @Test
    void rejectsBrokenZips() throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var zip = new ZipOutputStream(bytes)) {
            for (String name : NAMES) {
                zip.putNextEntry(new ZipEntry(name));
                zip.write(content(name));
            }
        }

        checkReadOrRejected(bytes.toByteArray(), Format.ZIP, false);
    }

    @Test
    void rejectsBrokenGzipStreams() throws IOException {
        checkReadOrRejected(gzip(tar()), Format.TAR_GZIP, false);
    }

    @Test
    void rejectsBrokenTars() throws IOException {
        checkReadOrRejected(tar(), Format.TAR_GZIP, true);
    }

    private void checkReadOrRejected(byte[] archive, Format format, boolean isPackedLater)
            throws IOException {
        Path file = temporary.resolve("archive");
        int refused = 0;
        for (int i = 0; i < ARCHIVES; i++) {
            byte[] changed = changed(archive);
            Files.write(file, isPackedLater ? gzip(changed) : changed);
            Path into = Files.createTempDirectory(temporary, "package");
            try {
                PackageArchive.unpack(file, format, into, LIMITS);
            } catch (InvalidPackageException e) {
                assertThat(e.getMessage()).isNotBlank();
                refused++;
            } catch (IOException | RuntimeException e) {
                fail("seed %d, archive %d of %s".formatted(SEED, i, format), e);
            }
        }

        // Nothing was written outside of the directories.
        try (var beside = Files.list(temporary)) {
            assertThat(beside.map(path -> path.getFileName().toString()))
                    .allMatch(name -> name.equals("archive") || name.startsWith("package"));
        }
        assertThat(refused).isGreaterThan(ARCHIVES / 10);
    }

    private byte[] changed(byte[] archive) {
        byte[] changed = archive;
        int changes = 1 + random.nextInt(CHANGES_MAX);
        for (int i = 0; i < changes; i++) {
            int at = random.nextInt(changed.length);
            int to = Math.min(changed.length, at + 1 + random.nextInt(40));
            switch (random.nextInt(5)) {
                case 0 -> changed = joined(changed, at, new byte[0], to);
                case 1 -> changed = joined(changed, at, some(), at);
                case 2 -> changed = joined(changed, at, some(), to);
                case 3 -> changed = joined(changed, to, Arrays.copyOfRange(changed, at, to), to);
                default -> {
                    changed = changed.clone();
                    changed[at] = (byte) random.nextInt();
                }
            }
        }
        return changed;
    }

    private byte[] some() {
        byte[] bytes = new byte[1 + random.nextInt(20)];
        random.nextBytes(bytes);
        if (random.nextBoolean()) {
            Arrays.fill(bytes, (byte) (random.nextBoolean() ? 0xff : 0));
        }
        return bytes;
    }

    private static byte[] joined(byte[] bytes, int before, byte[] between, int behind) {
        var joined = new ByteArrayOutputStream();
        joined.write(bytes, 0, before);
        joined.writeBytes(between);
        joined.write(bytes, behind, bytes.length - behind);
        // Something is left for the next change.
        return joined.size() == 0 ? new byte[] {0} : joined.toByteArray();
    }

    private static byte[] tar() throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var tar = new TarArchiveOutputStream(bytes)) {
            for (String name : NAMES) {
                var entry = new TarArchiveEntry(name);
                entry.setSize(content(name).length);
                // The current time would make the archives differ between runs.
                entry.setModTime(0);
                tar.putArchiveEntry(entry);
                tar.write(content(name));
                tar.closeArchiveEntry();
            }
        }
        return bytes.toByteArray();
    }

    private static byte[] gzip(byte[] content) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(bytes)) {
            gzip.write(content);
        }
        return bytes.toByteArray();
    }

    private static byte[] content(String name) {
        return ("content of " + name + "\n").repeat(5).getBytes(StandardCharsets.UTF_8);
    }
}
