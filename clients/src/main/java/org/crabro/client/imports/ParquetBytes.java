package org.crabro.client.imports;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;

/** The bytes of a Parquet file. */
final class ParquetBytes {
    private final FileChannel file;
    private final long size;

    ParquetBytes(FileChannel file) throws IOException {
        this.file = file;
        this.size = file.size();
    }

    long size() {
        return size;
    }

    /** Returns whether a range is in the file. */
    boolean contains(long at, long length) {
        return at >= 0 && length >= 0 && at <= size && length <= size - at;
    }

    /** Reads bytes, in little-endian order. */
    ByteBuffer read(long at, int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        while (bytes.hasRemaining()) {
            if (file.read(bytes, at + bytes.position()) < 0) {
                throw new EOFException("the file ends early");
            }
        }
        return bytes.flip();
    }
}
