package org.crabro.container.http;

import java.nio.file.Path;
import java.util.Optional;

/**
 * How a listener speaks TLS. All files are PEM.
 *
 * @param privateKey a PKCS #8 key, not encrypted
 * @param certificates the server's certificate, then those that lead to its root
 * @param clientAuthorities certificates that sign clients'; where present, clients must show one
 */
public record TlsSettings(Path privateKey, Path certificates, Optional<Path> clientAuthorities) {}
