package org.crabro.protocol.transport;

import java.nio.file.Path;

/**
 * The files of a node for mutual TLS, in PEM. A node accepts the peers whose certificates one of
 * its authorities has signed.
 *
 * @param privateKey a PKCS #8 key, not encrypted
 * @param certificates the certificate of the node, then those up to its authority
 * @param authorities the certificates of the authorities
 */
public record TlsFiles(Path privateKey, Path certificates, Path authorities) {}
