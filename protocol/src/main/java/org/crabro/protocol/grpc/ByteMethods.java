package org.crabro.protocol.grpc;

import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.Marshaller;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Status;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Describes methods whose messages and replies are bytes, of at most a message of gRPC. */
public final class ByteMethods {
    private ByteMethods() {}

    /**
     * Returns a method.
     *
     * @param service such as {@code crabro.Config}
     * @param name in the service
     */
    public static MethodDescriptor<byte[], byte[]> of(
            String service, String name, MethodType type) {
        var bytes = new BytesMarshaller();
        return MethodDescriptor.<byte[], byte[]>newBuilder()
                .setType(type)
                .setFullMethodName(MethodDescriptor.generateFullMethodName(service, name))
                .setRequestMarshaller(bytes)
                .setResponseMarshaller(bytes)
                .build();
    }

    private static final class BytesMarshaller implements Marshaller<byte[]> {
        @Override
        public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                return stream.readAllBytes();
            } catch (IOException e) {
                throw Status.INTERNAL
                        .withDescription("a message could not be read")
                        .withCause(e)
                        .asRuntimeException();
            }
        }
    }
}
