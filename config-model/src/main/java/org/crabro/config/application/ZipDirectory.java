package org.crabro.config.application;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Checks the size of a zip archive's central directory before a library reads it into memory.
 *
 * <pre>
 *   end record    "PK\5\6", 6 bytes, u16 entries here, u16 entries, u32 size of the directory, u32 its offset,
 *                 u16 size of the comment, comment
 *   locator       "PK\6\7", u32 disk, u64 offset of the zip64 record, u32 disks      before the end record
 *   zip64 record  "PK\6\6", u64 size, 12 bytes, u64 entries here, u64 entries, u64 size of the directory, …
 * </pre>
 *
 * <p>A comment may contain the bytes of an end record, and readers differ in which one they choose.
 * So this checks all of them.
 */
final class ZipDirectory {
    private static final int END_SIGNATURE = 0x06054b50;
    private static final int LOCATOR_SIGNATURE = 0x07064b50;
    private static final int ZIP64_SIGNATURE = 0x06064b50;

    private static final int END_SIZE = 22;
    private static final int END_ENTRIES = 10;
    private static final int END_DIRECTORY_SIZE = 12;
    private static final int END_DIRECTORY_OFFSET = 16;
    private static final int COMMENT_MAX = 0xffff;

    /** The values that refer to the zip64 record. */
    private static final long MAX_SHORT = 0xffff;

    private static final long MAX_INT = 0xffffffffL;
    private static final int LOCATOR_SIZE = 20;
    private static final int LOCATOR_RECORD = 8;
    private static final int ZIP64_SIZE = 56;
    private static final int ZIP64_ENTRIES = 32;
    private static final int ZIP64_DIRECTORY_SIZE = 40;

    private final FileChannel file;
    private final long entriesMax;

    private ZipDirectory(FileChannel file, long entriesMax) {
        this.file = file;
        this.entriesMax = entriesMax;
    }

    /**
     * Checks an archive. One without an end record passes: no reader opens it.
     *
     * @param entriesMax the maximum number of files and directories
     * @throws InvalidPackageException if its directory is too large
     */
    static void check(Path archive, long entriesMax) throws IOException {
        try (var file = FileChannel.open(archive, StandardOpenOption.READ)) {
            new ZipDirectory(file, entriesMax).check();
        }
    }

    private void check() throws IOException {
        // With the locator before the first end record, and the comment after the last one.
        long start = Math.max(0, file.size() - COMMENT_MAX - END_SIZE - LOCATOR_SIZE);
        ByteBuffer tail = read(start, (int) (file.size() - start));
        for (int at = tail.limit() - END_SIZE; at >= 0; at--) {
            if (tail.getInt(at) == END_SIGNATURE) {
                checkEnd(tail, at);
            }
        }
    }

    private void checkEnd(ByteBuffer tail, int at) throws IOException {
        long entries = Short.toUnsignedLong(tail.getShort(at + END_ENTRIES));
        long size = Integer.toUnsignedLong(tail.getInt(at + END_DIRECTORY_SIZE));
        long offset = Integer.toUnsignedLong(tail.getInt(at + END_DIRECTORY_OFFSET));
        if (entries == MAX_SHORT || size == MAX_INT || offset == MAX_INT) {
            int locator = at - LOCATOR_SIZE;
            if (locator >= 0
                    && tail.getInt(locator) == LOCATOR_SIGNATURE
                    && isZip64Checked(tail.getLong(locator + LOCATOR_RECORD))) {
                return;
            }
        }
        check(entries, size);
    }

    /** Checks the zip64 record at an offset; returns whether there is one. */
    private boolean isZip64Checked(long at) throws IOException {
        if (at < 0 || at > file.size() - ZIP64_SIZE) {
            return false;
        }
        ByteBuffer record = read(at, ZIP64_SIZE);
        if (record.getInt(0) != ZIP64_SIGNATURE) {
            return false;
        }
        check(record.getLong(ZIP64_ENTRIES), record.getLong(ZIP64_DIRECTORY_SIZE));
        return true;
    }

    private void check(long entries, long size) {
        if (entries < 0 || entries > entriesMax) {
            throw new InvalidPackageException(
                    "the zip archive has more than %,d files and directories"
                            .formatted(entriesMax));
        }
        if (size < 0 || size > PackageLimits.ZIP_DIRECTORY_BYTES) {
            throw new InvalidPackageException(
                    "the directory of the zip archive is larger than %,d bytes"
                            .formatted(PackageLimits.ZIP_DIRECTORY_BYTES));
        }
    }

    private ByteBuffer read(long position, int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        while (bytes.hasRemaining()) {
            if (file.read(bytes, position + bytes.position()) < 0) {
                break;
            }
        }
        return bytes.flip();
    }
}
