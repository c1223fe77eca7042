package org.crabro.content.storage.replica;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A replica whose files a new one copies. Its files and its log are kept until it is closed, for an
 * hour at most.
 */
public interface ReplicaSource extends AutoCloseable {
    /** Returns the files. They do not change. */
    ReplicaList list();

    /**
     * Reads a part of a file.
     *
     * @param into receives bytes until it is full or the file ends
     * @throws IOException if the files are not kept any more, or cannot be read
     */
    void read(ReplicaFile file, long offset, ByteBuffer into) throws IOException;

    /** Notes bytes of a file that need no copying: the new replica has them. */
    default void skipped(long bytes) {}

    @Override
    void close() throws IOException;
}
