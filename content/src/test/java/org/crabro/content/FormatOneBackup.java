package org.crabro.content;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/**
 * A backup of mails, made by a program whose backups contained documents alone: commit 75907655,
 * with nodes and mails of {@link StoredMails}.
 */
final class FormatOneBackup {
    private FormatOneBackup() {}

    /** Writes the files into {@code directory}. */
    static void unpackInto(Path directory) throws IOException {
        try (var zip =
                new ZipInputStream(
                        requireNonNull(
                                FormatOneBackup.class.getResourceAsStream("backup-1.zip")))) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                Path file = directory.resolve(entry.getName());
                Files.createDirectories(file.resolve(".."));
                Files.copy(zip, file);
            }
        }
    }

    /** Returns the title of mail {@code number} of group {@code number % 7}. */
    static int version(int number) {
        return number < 10 ? 2 : 1;
    }

    /** Makes the list of a backup one of format 3, with the right checksum. */
    static void raiseFormat(Path backup) throws IOException {
        Path list = backup.resolve("backup");
        String text = Files.readString(list).replace("format 2", "format 3");
        String lines = text.substring(0, text.lastIndexOf("crc "));
        var crc = new CRC32C();
        crc.update(lines.getBytes(US_ASCII));
        Files.writeString(list, lines + "crc %08x\n".formatted(crc.getValue()));
    }
}
