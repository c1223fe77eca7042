package org.crabro.config.application;

/**
 * The size limits of a package; a larger one is rejected with an error that names the limit.
 *
 * @param files the maximum number of files, and that of directories. Directories that only paths of
 *     files name count, too
 * @param bytes the maximum total size of all files
 * @param ratio the maximum ratio of the unpacked size to the archive size, checked above {@value
 *     #RATIO_FLOOR} bytes
 */
public record PackageLimits(int files, long bytes, int ratio) {
    public PackageLimits {
        if (files < 1 || bytes < 1 || ratio < 1) {
            throw new IllegalArgumentException(
                    "files is %d, bytes %d, ratio %d; each must be at least 1"
                            .formatted(files, bytes, ratio));
        }
    }

    /** The unpacked size in bytes up to which the compression ratio is not checked. */
    public static final long RATIO_FLOOR = 64L << 20;

    /** The headers of a tar archive before one file, in bytes; the name of the file is in them. */
    static final int TAR_HEADER_BYTES = 64 << 10;

    /** All headers of a tar archive, in bytes. */
    static final long TAR_HEADERS_BYTES = 64L << 20;

    /** The central directory of a zip archive, in bytes. It is read into memory. */
    static final int ZIP_DIRECTORY_BYTES = 32 << 20;

    /** Allows large models and limits the damage of a malicious archive. */
    public static final PackageLimits DEFAULT = new PackageLimits(10_000, 8L << 30, 200);
}
