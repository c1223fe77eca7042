package org.crabro.config.application;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.crabro.config.application.PackageArchive.Format;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class PackageArchiveTest {
    private static final PackageLimits SMALL = new PackageLimits(3, 1_000, 200);

    @TempDir Path temporary;

    @ParameterizedTest
    @EnumSource
    void unpacksFiles(Format format) throws IOException {
        Path root = unpack(pack(format, "./services.xml", "schemas/a.sd"), format, SMALL);

        assertThat(DirectoryFiles.of(root).paths()).containsExactly("schemas/a.sd", "services.xml");
        assertThat(DirectoryFiles.of(root).text("schemas/a.sd"))
                .hasValue("content of schemas/a.sd");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"../a", "schemas/../../a", "/etc/a", "C:/a", "schemas\\..\\..\\a", "a/.."})
    void refusesToLeaveTheDirectory(String name) {
        for (Format format : Format.values()) {
            assertThatExceptionOfType(InvalidPackageException.class)
                    .isThrownBy(() -> unpack(pack(format, name), format, SMALL))
                    .withMessageContaining(
                            format == Format.TAR_GZIP ? name.replaceFirst("^[/]", "") : name);
            assertThat(temporary.resolve("a")).doesNotExist();
        }
    }

    @Test
    void refusesLinks() throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var tar = new TarArchiveOutputStream(new GZIPOutputStream(bytes))) {
            var link = new TarArchiveEntry("models", TarConstants.LF_SYMLINK);
            link.setLinkName("/etc");
            tar.putArchiveEntry(link);
            tar.closeArchiveEntry();
        }

        rejects(bytes.toByteArray(), Format.TAR_GZIP, "models: neither a file nor a directory");
    }

    @Test
    void refusesTwoFilesOfOneName() throws IOException {
        rejects(
                pack(Format.TAR_GZIP, "a", "a"),
                Format.TAR_GZIP,
                "a: the archive holds this name twice");
        rejects(
                pack(Format.TAR_GZIP, "a", "a/b"),
                Format.TAR_GZIP,
                "a/b: the archive has a file and a directory of one name");
        rejects(
                pack(Format.TAR_GZIP, "a", "a/b/c"),
                Format.TAR_GZIP,
                "a/b/c: the archive has a file and a directory of one name");
    }

    @ParameterizedTest
    @EnumSource
    void refusesMoreThanTheLimits(Format format) throws IOException {
        rejects(pack(format, "a", "b", "c", "d"), format, "the package holds more than 3 files");
        rejects(
                pack(format, "a/", "b/", "c/", "d/"),
                format,
                "the package holds more than 3 directories");
        rejects(
                pack(
                        format,
                        "b".repeat(250)
                                + "/"
                                + "c".repeat(250)
                                + "/"
                                + "d".repeat(250)
                                + "/"
                                + "e".repeat(250)),
                format,
                "the package unpacks to more than 1,000 bytes");
    }

    /** Each character of a short path can be a directory, and archives pack them well. */
    @ParameterizedTest
    @EnumSource
    void countsDirectoriesThatOnlyPathsName(Format format) throws IOException {
        rejects(pack(format, "a/b/c/d/e"), format, "the package holds more than 3 directories");
        rejects(pack(format, "a/b/", "c/d/"), format, "the package holds more than 3 directories");
        Path root = unpack(pack(format, "a/b/c/d", "a/b/c/e", "a/b/", "a/"), format, SMALL);

        assertThat(DirectoryFiles.of(root).paths()).containsExactly("a/b/c/d", "a/b/c/e");
    }

    @ParameterizedTest
    @EnumSource
    void countsEntriesOfDirectoriesThatExist(Format format) throws IOException {
        String[] names = new String[7];
        Arrays.setAll(names, i -> "a/".repeat(1) + "./".repeat(i));

        assertThatExceptionOfType(InvalidPackageException.class)
                .isThrownBy(() -> unpack(pack(format, names), format, SMALL))
                .withMessageContaining("archive has more than 6 files and directories");
    }

    /** A reader that trusts the headers keeps up to 1 GiB of a name in memory. */
    @ParameterizedTest
    @ValueSource(bytes = {'L', 'K', 'x', 'g'})
    void refusesATarHeaderOfAnySizeBeforeItIsRead(byte kind) throws IOException {
        rejects(
                tarWithHeader(kind, 1L << 30, 1 << 20),
                Format.TAR_GZIP,
                "the tar archive has more than 65,536 bytes of headers before one file");
    }

    @ParameterizedTest
    @ValueSource(bytes = {'L', 'x', 'g'})
    void refusesManyTarHeadersBeforeOneFile(byte kind) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(bytes)) {
            for (int i = 0; i < 200; i++) {
                gzip.write(header(kind, 0));
            }
        }

        assertThatExceptionOfType(InvalidPackageException.class)
                .isThrownBy(() -> unpack(bytes.toByteArray(), Format.TAR_GZIP, SMALL));
        assertThat(temporary.resolve("name")).doesNotExist();
    }

    private static byte[] tarWithHeader(byte kind, long size, int written) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(bytes)) {
            gzip.write(header(kind, size));
            // A record of a PAX header with a value as long as the header says.
            byte[] record = (size + " path=").getBytes(StandardCharsets.US_ASCII);
            gzip.write(record);
            byte[] letters = new byte[written];
            Arrays.fill(letters, (byte) 'a');
            gzip.write(letters);
        }
        return bytes.toByteArray();
    }

    private static byte[] header(byte kind, long size) {
        byte[] header = new byte[TarConstants.DEFAULT_RCDSIZE];
        new TarArchiveEntry("name", kind).writeEntryHeader(header);
        var entry = new TarArchiveEntry("name", kind);
        entry.setSize(size);
        entry.writeEntryHeader(header);
        return header;
    }

    /** The end record counts the entries; a reader keeps the whole directory in memory. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void refusesALargeZipDirectoryBeforeItIsRead(boolean isZip64) throws IOException {
        long entry = 46 + 10;
        rejects(
                zipOf(3_000_000, 3_000_000 * entry, isZip64),
                "the zip archive has more than 20,000 files and directories");
        rejects(
                zipOf(10, (32 << 20) + 1, isZip64),
                "the directory of the zip archive is larger than 33,554,432 bytes");
        rejects(zipOf(-1, 100, true), "the zip archive has more than 20,000 files and directories");
    }

    private void rejects(Path archive, String message) throws IOException {
        Path into = Files.createTempDirectory(temporary, "package");
        assertThatExceptionOfType(InvalidPackageException.class)
                .isThrownBy(() ->
                        PackageArchive.unpack(archive, Format.ZIP, into, PackageLimits.DEFAULT))
                .withMessage(message);
    }

    /** Writes a file with a directory of zero bytes, which take no space on the disk. */
    private Path zipOf(long entries, long directorySize, boolean isZip64) throws IOException {
        Path file = Files.createTempFile(temporary, "archive", ".zip");
        ByteBuffer end = ByteBuffer.allocate(56 + 20 + 22).order(ByteOrder.LITTLE_ENDIAN);
        if (isZip64) {
            end.putInt(0x06064b50).putLong(44).putInt(0).putInt(0).putInt(0);
            end.putLong(entries).putLong(entries).putLong(directorySize).putLong(0);
            end.putInt(0x07064b50).putInt(0).putLong(directorySize).putInt(1);
        }
        int few = isZip64 ? 0xffff : (int) Math.min(entries, 0xfffe);
        end.putInt(0x06054b50).putShort((short) 0).putShort((short) 0);
        end.putShort((short) few).putShort((short) few);
        end.putInt(isZip64 ? -1 : (int) directorySize).putInt(isZip64 ? -1 : 0).putShort((short) 0);
        try (var out = FileChannel.open(file, StandardOpenOption.WRITE)) {
            out.write(end.flip(), directorySize);
        }
        return file;
    }

    /** A comment may look like an end record, and readers differ in which one they choose. */
    @Test
    void checksEachEndRecordOfAZip() throws IOException {
        Path large = zipOf(3_000_000, 100, false);
        byte[] honest = new byte[22];
        ByteBuffer.wrap(honest).order(ByteOrder.LITTLE_ENDIAN).putInt(0x06054b50);
        Files.write(large, honest, StandardOpenOption.APPEND);

        rejects(large, "the zip archive has more than 20,000 files and directories");
    }

    @ParameterizedTest
    @EnumSource
    void refusesNamesThatNoFileCanHave(Format format) throws IOException {
        rejects(
                pack(format, "é".repeat(128)),
                format,
                "a file's name is longer than 255 bytes: " + "é".repeat(40) + "...");
        rejects(
                pack(format, ("é".repeat(100) + "/").repeat(10)),
                format,
                "a file's path is longer than 2000 bytes: " + "é".repeat(40) + "...");
    }

    @Test
    void refusesWhatUnpacksToFarMoreThanItIs() throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var zip = new ZipOutputStream(bytes)) {
            zip.putNextEntry(new ZipEntry("zeros"));
            for (int i = 0; i < 70; i++) {
                zip.write(new byte[1 << 20]);
            }
        }

        assertThatExceptionOfType(InvalidPackageException.class)
                .isThrownBy(() -> unpack(bytes.toByteArray(), Format.ZIP, PackageLimits.DEFAULT))
                .withMessage("the package unpacks to more than 200 times its size");
    }

    @ParameterizedTest
    @EnumSource
    void refusesBrokenArchives(Format format) throws IOException {
        byte[] whole = pack(format, "services.xml", "schemas/a.sd");

        for (int length = 0; length < whole.length - 30; length += 5) {
            byte[] cut = Arrays.copyOf(whole, length);
            assertThatExceptionOfType(InvalidPackageException.class)
                    .as("the first %d of %d bytes", cut.length, whole.length)
                    .isThrownBy(() -> unpack(cut, format, SMALL));
        }
    }

    @Test
    void refusesTextThatIsNone() throws IOException {
        Files.write(temporary.resolve("services.xml"), new byte[] {'a', (byte) 0xff});

        assertThatExceptionOfType(InvalidPackageException.class)
                .isThrownBy(() -> DirectoryFiles.of(temporary).text("services.xml"))
                .withMessage("services.xml: expected text in UTF-8");
    }

    @Test
    void leavesOutAByteOrderMark() throws IOException {
        Files.writeString(temporary.resolve("services.xml"), "\uFEFF<services/>");

        assertThat(DirectoryFiles.of(temporary).text("services.xml")).hasValue("<services/>");
    }

    private void rejects(byte[] archive, Format format, String message) {
        assertThatExceptionOfType(InvalidPackageException.class)
                .isThrownBy(() -> unpack(archive, format, SMALL))
                .withMessage(message);
    }

    private Path unpack(byte[] archive, Format format, PackageLimits limits) throws IOException {
        Path file = Files.write(Files.createTempFile(temporary, "archive", ""), archive);
        Path into = Files.createTempDirectory(temporary, "package");
        PackageArchive.unpack(file, format, into, limits);
        return into;
    }

    private static byte[] pack(Format format, String... names) throws IOException {
        var bytes = new ByteArrayOutputStream();
        switch (format) {
            case ZIP -> {
                try (var zip = new ZipOutputStream(bytes)) {
                    for (String name : names) {
                        zip.putNextEntry(new ZipEntry(name));
                        zip.write(name.endsWith("/") ? new byte[0] : content(name));
                    }
                }
            }
            case TAR_GZIP -> {
                try (var tar = new TarArchiveOutputStream(new GZIPOutputStream(bytes))) {
                    tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
                    for (String name : names) {
                        var entry = new TarArchiveEntry(name, true);
                        byte[] content = name.endsWith("/") ? new byte[0] : content(name);
                        entry.setSize(content.length);
                        tar.putArchiveEntry(entry);
                        tar.write(content);
                        tar.closeArchiveEntry();
                    }
                }
            }
        }
        return bytes.toByteArray();
    }

    private static byte[] content(String name) {
        return ("content of " + name).getBytes(StandardCharsets.UTF_8);
    }
}
