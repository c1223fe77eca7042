package org.crabro.content.replication.raft;

import java.nio.file.Path;
import org.crabro.protocol.transport.TlsFiles;

/**
 * The files with which nodes identify themselves to each other, in PEM. They are read when a server
 * starts.
 *
 * @param certificate of this node, and of the authorities between it and {@code authority}
 * @param key of the certificate, as PKCS 8 without a password
 * @param authority its certificate; nodes without a certificate of it are refused
 */
public record RatisTls(Path certificate, Path key, Path authority) {
    /** Returns the same files for Ratis. */
    public static RatisTls of(TlsFiles files) {
        return new RatisTls(files.certificates(), files.privateKey(), files.authorities());
    }
}
