package org.crabro.config.application;

/**
 * How large a package may be; what is larger is refused with the limit named.
 *
 * @param files how many files it may hold
 * @param bytes how many bytes all files may have together
 * @param ratio how many times larger than the archive they may be, above {@value #RATIO_FLOOR}
 *     bytes: an archive that unpacks to far more is no package
 */
public record PackageLimits(int files, long bytes, int ratio) {
    public PackageLimits {
        if (files < 1 || bytes < 1 || ratio < 1) {
            throw new IllegalArgumentException(
                    "files is %d, bytes %d, ratio %d; each must be at least 1"
                            .formatted(files, bytes, ratio));
        }
    }

    /** Up to here nobody asks how well an archive is compressed. */
    public static final long RATIO_FLOOR = 64L << 20;

    /** Room for large models, and little for mischief. */
    public static final PackageLimits DEFAULT = new PackageLimits(10_000, 8L << 30, 200);
}
