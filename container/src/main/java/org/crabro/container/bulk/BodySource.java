package org.crabro.container.bulk;

import java.io.IOException;

/** The bytes of a body, decompressed, for one thread. */
interface BodySource {
    /**
     * Reads some bytes.
     *
     * @param waits whether to wait for the first byte
     * @return the count of bytes; 0 if none has arrived and this does not wait; -1 at the end
     * @throws IOException if the client has disconnected, or was idle for too long
     */
    int read(byte[] into, int offset, int length, boolean waits) throws IOException;
}
