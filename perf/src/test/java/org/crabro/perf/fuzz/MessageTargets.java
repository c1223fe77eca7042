package org.crabro.perf.fuzz;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.crabro.document.DocumentType;
import org.crabro.protocol.encoding.DocumentTypeEncoding;
import org.crabro.protocol.encoding.MessageEncoding;
import org.crabro.protocol.encoding.Row;
import org.crabro.protocol.encoding.RowCost;
import org.crabro.protocol.encoding.RowEncoding;
import org.crabro.protocol.encoding.WireFormatException;

/** Messages between container and content nodes, and the rows of documents. */
final class MessageTargets {
    private static final String GOLDEN = "protocol/src/test/resources/org/crabro/protocol/encoding";

    private MessageTargets() {}

    /** One kind of message. */
    private record Kind<T>(Function<byte[], T> decode, Function<T, byte[]> encode) {
        /** Checks that a decoded message is encoded as bytes that decode to the same. */
        void read(byte[] message) {
            T read = decode.apply(message);
            byte[] written = encode.apply(read);
            T again = decode.apply(written);
            if (!read.equals(again) || !Arrays.equals(written, encode.apply(again))) {
                throw new AssertionError("was " + read + " and reads back as " + again);
            }
        }
    }

    private static final List<Kind<?>> KINDS =
            List.of(
                    new Kind<>(
                            bytes -> MessageEncoding.writeRequest(bytes, 0),
                            message -> MessageEncoding.encode(message, 0)),
                    new Kind<>(MessageEncoding::writeReplies, MessageEncoding::encode),
                    new Kind<>(
                            bytes -> MessageEncoding.getRequest(bytes, 0),
                            message -> MessageEncoding.encode(message, 0)),
                    new Kind<>(MessageEncoding::getReply, MessageEncoding::encode),
                    new Kind<>(
                            bytes -> MessageEncoding.searchRequest(bytes, 0),
                            message -> MessageEncoding.encode(message, 0)),
                    new Kind<>(MessageEncoding::searchReply, MessageEncoding::encode),
                    new Kind<>(
                            bytes -> MessageEncoding.visitRequest(bytes, 0),
                            message -> MessageEncoding.encode(message, 0)),
                    new Kind<>(MessageEncoding::visitReply, MessageEncoding::encode));

    static List<FuzzTarget> all() {
        DocumentType type = FuzzedApplication.type();
        var rows = new ArrayList<byte[]>();
        for (int i = 0; i < 2; i++) {
            rows.add(RowEncoding.encode(FuzzedDocuments.row(type, i), type));
        }
        return List.of(
                FuzzTarget.ofBytes("messages", MessageTargets::message, WireFormatException.class)
                        .withSeeds(GoldenFiles.read(GOLDEN, "message-*.hex")),
                FuzzTarget.ofBytes(
                                "rows",
                                bytes -> row(MemorySegment.ofArray(bytes), type),
                                IllegalArgumentException.class)
                        .withSeeds(rows),
                FuzzTarget.ofBytes(
                                "document-types",
                                MessageTargets::type,
                                IllegalArgumentException.class)
                        .withSeeds(GoldenFiles.read(GOLDEN, "type-*.hex")));
    }

    /** The second byte is the kind; the length in the message is corrected. */
    private static void message(byte[] input) {
        if (input.length < 6) {
            return;
        }
        byte[] message = input.clone();
        int body = message.length - 6;
        for (int i = 0; i < Integer.BYTES; i++) {
            message[2 + i] = (byte) (body >>> (i * Byte.SIZE));
        }
        KINDS.get(Math.floorMod(message[1] - 1, KINDS.size())).read(message);
    }

    private static void row(MemorySegment bytes, DocumentType type) {
        RowEncoding.isTombstone(bytes);
        RowEncoding.fingerprint(bytes);
        Row row = RowEncoding.decode(bytes, type);
        RowCost.of(bytes, type);
        byte[] written = RowEncoding.encode(row, type);
        Row again = RowEncoding.decode(MemorySegment.ofArray(written), type);
        if (!row.equals(again)) {
            throw new AssertionError("was " + row + " and reads back as " + again);
        }
    }

    private static void type(byte[] bytes) {
        DocumentType type = DocumentTypeEncoding.decode(bytes);
        DocumentType again = DocumentTypeEncoding.decode(DocumentTypeEncoding.encode(type));
        if (!type.equals(again)) {
            throw new AssertionError("was " + type + " and reads back as " + again);
        }
    }
}
