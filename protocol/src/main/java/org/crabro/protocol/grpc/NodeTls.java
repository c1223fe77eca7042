package org.crabro.protocol.grpc;

import io.grpc.netty.GrpcSslContexts;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import javax.net.ssl.SSLException;
import org.crabro.protocol.transport.NodeCertificates;
import org.crabro.protocol.transport.TlsFiles;

/** Mutual TLS between the servers of a cluster. */
public final class NodeTls {
    private static final String PROTOCOL = "TLSv1.3";

    /** Sessions are not resumed for longer, so that each connection checks certificates. */
    private static final long SESSION_SECONDS = 1;

    private NodeTls() {}

    /**
     * Returns the context of a server, which requires certificates of its clients.
     *
     * @throws IllegalArgumentException if a file is invalid; the message names it
     */
    public static SslContext server(TlsFiles files) {
        NodeCertificates certificates = NodeCertificates.read(files);
        return build(
                files,
                SslContextBuilder.forServer(certificates.keyManager())
                        .trustManager(certificates.trustManager())
                        .clientAuth(ClientAuth.REQUIRE));
    }

    /**
     * Returns the context of a client.
     *
     * @throws IllegalArgumentException if a file is invalid; the message names it
     */
    public static SslContext client(TlsFiles files) {
        NodeCertificates certificates = NodeCertificates.read(files);
        return build(
                files,
                SslContextBuilder.forClient()
                        .keyManager(certificates.keyManager())
                        .trustManager(certificates.trustManager()));
    }

    private static SslContext build(TlsFiles files, SslContextBuilder builder) {
        try {
            return GrpcSslContexts.configure(builder, SslProvider.JDK)
                    .protocols(PROTOCOL)
                    .sessionTimeout(SESSION_SECONDS)
                    .build();
        } catch (SSLException e) {
            throw new IllegalArgumentException("cannot speak TLS with " + files + ": " + e, e);
        }
    }
}
