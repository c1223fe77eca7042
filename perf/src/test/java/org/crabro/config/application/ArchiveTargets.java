package org.crabro.config.application;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.ZipFile;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.crabro.perf.fuzz.FuzzTarget;
import org.crabro.perf.fuzz.FuzzedDirectory;
import org.jspecify.annotations.Nullable;

/** What is checked before libraries read archives of packages. */
public final class ArchiveTargets {
    private static final int ENTRIES_MAX = 2;

    /** The reader of the library reads blocks of so many bytes. */
    private static final int BLOCK = 512;

    /** What follows an archive, so that announced bytes exist. */
    private static final int FOLLOWING = 1 << 20;

    private ArchiveTargets() {}

    /** Returns the targets. */
    public static List<FuzzTarget> all() {
        return List.of(
                FuzzTarget.ofBytes(
                                "zip-directories",
                                ArchiveTargets::zip,
                                InvalidPackageException.class)
                        .slow(),
                FuzzTarget.ofBytes(
                        "tar-headers", ArchiveTargets::tar, InvalidPackageException.class));
    }

    /** An archive that passes the check has no more entries for the library either. */
    private static void zip(byte[] archive) throws IOException {
        try (var directory = FuzzedDirectory.create()) {
            Path file = directory.write("archive", archive);
            ZipDirectory.check(file, ENTRIES_MAX);
            try (var zip = new ZipFile(file.toFile())) {
                if (zip.size() > ENTRIES_MAX) {
                    throw new AssertionError("%d entries passed".formatted(zip.size()));
                }
            } catch (IOException | IllegalArgumentException e) {
                throw new InvalidPackageException("the library does not read it: " + e, e);
            }
        }
    }

    /** No name is longer than the limit. */
    private static void tar(byte[] archive) throws IOException {
        var headers =
                new TarHeaderLimit(
                        new SequenceInputStream(
                                new ByteArrayInputStream(archive), new Repeated(FOLLOWING)));
        try (var tar = new TarArchiveInputStream(headers)) {
            for (TarArchiveEntry entry = next(tar, headers);
                    entry != null;
                    entry = next(tar, headers)) {
                if (entry.getName().length() > PackageLimits.TAR_HEADER_BYTES + BLOCK) {
                    throw new AssertionError("a name of " + entry.getName().length());
                }
            }
        }
    }

    private static @Nullable TarArchiveEntry next(
            TarArchiveInputStream tar, TarHeaderLimit headers) {
        headers.beginHeaders();
        try {
            return tar.getNextEntry();
        } catch (IOException | IllegalArgumentException e) {
            throw new InvalidPackageException("the library does not read it: " + e, e);
        } finally {
            headers.endHeaders();
        }
    }

    /** The letter a, many times. */
    private static final class Repeated extends InputStream {
        private int left;

        Repeated(int count) {
            this.left = count;
        }

        @Override
        public int read() {
            return left-- > 0 ? 'a' : -1;
        }

        @Override
        public int read(byte[] into, int offset, int length) {
            if (left <= 0) {
                return -1;
            }
            int count = Math.min(left, length);
            Arrays.fill(into, offset, offset + count, (byte) 'a');
            left -= count;
            return count;
        }
    }
}
