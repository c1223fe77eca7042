package org.crabro.container.bulk;

import java.io.IOException;

/** The bytes of a body, decompressed, for one thread. */
interface BodySource {
    /**
     * Reads some bytes.
     *
     * @param waits whether to wait where none have come yet
     * @return how many; 0 where none have come and this does not wait; -1 at the end
     * @throws IOException if the client went away, or sent nothing for too long
     */
    int read(byte[] into, int offset, int length, boolean waits) throws IOException;
}
