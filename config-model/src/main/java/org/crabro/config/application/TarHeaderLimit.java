package org.crabro.config.application;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * The bytes of a tar archive, with a limit of those between the contents of two files. A reader
 * keeps these in memory, because they may contain a name of any length.
 *
 * <p>The limit counts what is read, so it does not depend on sizes in the archive.
 */
final class TarHeaderLimit extends FilterInputStream {
    private boolean isInHeaders;
    private long ofOne;
    private long ofAll;

    TarHeaderLimit(InputStream tar) {
        super(tar);
    }

    /** The bytes that are read from now on are headers before one file. */
    void beginHeaders() {
        isInHeaders = true;
        ofOne = 0;
    }

    /** The bytes that are read from now on are the content of a file. */
    void endHeaders() {
        isInHeaders = false;
    }

    @Override
    public int read() throws IOException {
        int value = super.read();
        count(value < 0 ? 0 : 1);
        return value;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        int count = super.read(into, offset, length);
        count(count);
        return count;
    }

    @Override
    public long skip(long bytes) throws IOException {
        long skipped = super.skip(bytes);
        count(skipped);
        return skipped;
    }

    private void count(long bytes) {
        if (!isInHeaders || bytes <= 0) {
            return;
        }
        ofOne += bytes;
        ofAll += bytes;
        if (ofOne > PackageLimits.TAR_HEADER_BYTES) {
            throw new InvalidPackageException(
                    "the tar archive has more than %,d bytes of headers before one file"
                            .formatted(PackageLimits.TAR_HEADER_BYTES));
        }
        if (ofAll > PackageLimits.TAR_HEADERS_BYTES) {
            throw new InvalidPackageException(
                    "the tar archive has more than %,d bytes of headers"
                            .formatted(PackageLimits.TAR_HEADERS_BYTES));
        }
    }
}
