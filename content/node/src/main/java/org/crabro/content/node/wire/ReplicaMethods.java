package org.crabro.content.node.wire;

import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.crabro.protocol.grpc.ByteMethods;

/**
 * The methods by which a node copies the files of a replica from another node. Messages are
 * big-endian.
 */
final class ReplicaMethods {
    static final String SERVICE = "crabro.Replicas";

    /** An {@link Opening}; the reply is the number of the export, then its list. */
    static final MethodDescriptor<byte[], byte[]> OPEN = method("open");

    /** A {@link Part}; the reply is its bytes, fewer at the end of the file. */
    static final MethodDescriptor<byte[], byte[]> READ = method("read");

    /** The number of an export; the reply is empty. */
    static final MethodDescriptor<byte[], byte[]> CLOSE = method("close");

    /** The most bytes of a part of a file. */
    static final int PART_BYTES = 1 << 20;

    /** The most bytes of a message: a list of files. */
    static final int MESSAGE_MAX = 16 << 20;

    private ReplicaMethods() {}

    private static MethodDescriptor<byte[], byte[]> method(String name) {
        return ByteMethods.of(SERVICE, name, MethodType.UNARY);
    }

    /**
     * Which replica to copy.
     *
     * @param peer the node that is asked, by the name of its data directory
     * @param copier the node that asks: its earlier export of the shard is closed
     */
    record Opening(String peer, String copier, int shard) {
        byte[] encode() {
            byte[] first = peer.getBytes(StandardCharsets.UTF_8);
            byte[] second = copier.getBytes(StandardCharsets.UTF_8);
            return ByteBuffer.allocate(3 * Integer.BYTES + first.length + second.length)
                    .putInt(first.length)
                    .put(first)
                    .putInt(second.length)
                    .put(second)
                    .putInt(shard)
                    .array();
        }

        /**
         * @throws IllegalArgumentException if the bytes are none
         */
        static Opening decode(byte[] bytes) {
            ByteBuffer buffer = ByteBuffer.wrap(bytes);
            try {
                return new Opening(text(buffer), text(buffer), buffer.getInt());
            } catch (BufferUnderflowException e) {
                throw new IllegalArgumentException("half a request for a replica", e);
            }
        }

        private static String text(ByteBuffer buffer) {
            int length = buffer.getInt();
            if (length < 0 || length > buffer.remaining()) {
                throw new BufferUnderflowException();
            }
            var text = new byte[length];
            buffer.get(text);
            return new String(text, StandardCharsets.UTF_8);
        }
    }

    /**
     * A part of a file.
     *
     * @param export its number
     * @param file the index in the list
     * @param offset from the start of the file
     * @param length 1 to {@link #PART_BYTES}
     */
    record Part(long export, int file, long offset, int length) {
        byte[] encode() {
            return ByteBuffer.allocate(2 * Long.BYTES + 2 * Integer.BYTES)
                    .putLong(export)
                    .putInt(file)
                    .putLong(offset)
                    .putInt(length)
                    .array();
        }

        /**
         * @throws IllegalArgumentException if the bytes are none
         */
        static Part decode(byte[] bytes) {
            ByteBuffer buffer = ByteBuffer.wrap(bytes);
            try {
                var part =
                        new Part(
                                buffer.getLong(),
                                buffer.getInt(),
                                buffer.getLong(),
                                buffer.getInt());
                if (part.file < 0
                        || part.offset < 0
                        || part.length < 1
                        || part.length > PART_BYTES) {
                    throw new IllegalArgumentException("no part of a file: " + part);
                }
                return part;
            } catch (BufferUnderflowException e) {
                throw new IllegalArgumentException("half a request for a part of a file", e);
            }
        }
    }
}
