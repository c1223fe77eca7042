package org.crabro.server.cluster;

import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import org.crabro.protocol.grpc.ByteMethods;

/** The methods of a config server for other servers. Messages are bytes. */
final class ConfigMethods {
    static final String SERVICE = "crabro.Config";

    /** A {@link HostReport} in JSON; the reply is a {@link ConfigReply} in JSON. */
    static final MethodDescriptor<byte[], byte[]> REPORT = method("report", MethodType.UNARY);

    /** An empty message; the replies are the parts of a zip file. */
    static final MethodDescriptor<byte[], byte[]> PACKAGE =
            method("package", MethodType.SERVER_STREAMING);

    /**
     * The name of a host in UTF-8; the reply is one byte, 1 if the config server takes that host
     * for the config server that leads.
     */
    static final MethodDescriptor<byte[], byte[]> CONFIRM = method("confirm", MethodType.UNARY);

    /** A {@link PeerHello} of another config server; the reply is its {@link PeerHello.Answer}. */
    static final MethodDescriptor<byte[], byte[]> HELLO = method("hello", MethodType.UNARY);

    /** An {@link ArchivePart}; the reply is one byte, 1 if the archive is complete. */
    static final MethodDescriptor<byte[], byte[]> KEEP = method("keep", MethodType.UNARY);

    /** The name of an archive in ASCII; the replies are its parts. */
    static final MethodDescriptor<byte[], byte[]> ARCHIVE =
            method("archive", MethodType.SERVER_STREAMING);

    /** An empty message; the reply is a {@link LogSnapshot}, or empty before the first one. */
    static final MethodDescriptor<byte[], byte[]> RECORD = method("record", MethodType.UNARY);

    /** The most bytes of a part of a package. */
    static final int PART_BYTES = 256 << 10;

    /** The most bytes of a request: a report of a host or a part of an archive. */
    static final int REQUEST_MAX = 1 << 20;

    /** The most bytes of a reply. */
    static final int MESSAGE_MAX = 16 << 20;

    /** The most characters of a request that a refusal repeats. */
    static final int REASON_MAX = 500;

    private ConfigMethods() {}

    private static MethodDescriptor<byte[], byte[]> method(String name, MethodType type) {
        return ByteMethods.of(SERVICE, name, type);
    }
}
