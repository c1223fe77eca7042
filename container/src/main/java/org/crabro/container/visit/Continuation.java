package org.crabro.container.visit;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.crabro.container.document.DocumentParameters;
import org.crabro.container.document.InvalidRequestException;
import org.crabro.document.DocumentId;
import org.crabro.document.InvalidDocumentException;
import org.crabro.protocol.visit.VisitSlice;

/**
 * The position of a visit, as a text that the client sends back to continue. It names documents by
 * their ids, so it stays valid after a flush, a merge, a restart or a deployment.
 *
 * <pre>
 *   token := base64url of
 *     version (1 byte, 1) · partition bits (1) · check of the plan (4) · slice index (4)
 *     · slice count (4) · next (4) · open count (4)
 *     · open count times: index in the plan (4), length (4), UTF-8 of the last id; nothing of it yet: 0
 *     · crc32c of all before it (4)
 * </pre>
 *
 * <p>All numbers are big-endian. The client repeats the selection, which is not part of the token.
 * A check of the plan ensures that it leads to the same partitions.
 *
 * @param next the count of partitions of the plan that were begun
 * @param open the partitions that were begun and not finished
 */
record Continuation(VisitPlan plan, VisitSlice slice, int next, List<Open> open) {
    private static final int VERSION = 1;
    private static final int CRC_BYTES = 4;

    Continuation {
        open = List.copyOf(open);
    }

    /**
     * A partition that was begun and not finished.
     *
     * @param index in the plan
     * @param after the last document that was returned or skipped
     */
    record Open(int index, Optional<DocumentId> after) {}

    /** Returns this as text. */
    String token() {
        var bytes = new ByteArrayOutputStream();
        try (var out = new DataOutputStream(bytes)) {
            out.writeByte(VERSION);
            out.writeByte(plan.spread().bits());
            out.writeInt(check(plan));
            out.writeInt(slice.index());
            out.writeInt(slice.count());
            out.writeInt(next);
            out.writeInt(open.size());
            for (Open each : open) {
                out.writeInt(each.index());
                byte[] id =
                        each.after()
                                .map(DocumentId::toString)
                                .orElse("")
                                .getBytes(StandardCharsets.UTF_8);
                out.writeInt(id.length);
                out.write(id);
            }
            out.writeInt(crc(bytes.toByteArray()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.toByteArray());
    }

    /**
     * Parses the token of a visit with {@code plan}.
     *
     * @throws InvalidRequestException if it is malformed, or belongs to another visit
     */
    static Continuation parse(String token, VisitPlan plan, VisitSlice slice) {
        try (var in = new DataInputStream(new ByteArrayInputStream(checked(token)))) {
            if (in.readByte() != VERSION) {
                throw invalid("it is of another version");
            }
            if (in.readByte() != plan.spread().bits() || in.readInt() != check(plan)) {
                throw invalid(
                        "it belongs to a visit of other partitions: repeat the path and the selection of the first request");
            }
            int index = in.readInt();
            int count = in.readInt();
            if (index != slice.index() || count != slice.count()) {
                throw invalid(
                        "it belongs to slice %d of %d, but the request is for slice %d of %d"
                                .formatted(index, count, slice.index(), slice.count()));
            }
            int next = in.readInt();
            int size = in.readInt();
            var open = new ArrayList<Open>();
            for (int i = 0; i < size; i++) {
                int at = in.readInt();
                if (at < 0 || at >= next) {
                    throw invalid("it is damaged");
                }
                String id = new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8);
                open.add(
                        new Open(
                                at,
                                id.isEmpty()
                                        ? Optional.empty()
                                        : Optional.of(DocumentId.parse(id))));
            }
            if (next < 0 || next > plan.partitions().size()) {
                throw invalid("it is damaged");
            }
            return new Continuation(plan, slice, next, open);
        } catch (IOException | IllegalArgumentException | InvalidDocumentException e) {
            throw invalid("it is damaged: " + e.getMessage());
        }
    }

    private static byte[] checked(String token) {
        byte[] all;
        try {
            all = Base64.getUrlDecoder().decode(token);
        } catch (IllegalArgumentException e) {
            throw invalid("it is not base64url: " + e.getMessage());
        }
        if (all.length < CRC_BYTES) {
            throw invalid("it is too short");
        }
        byte[] body = Arrays.copyOf(all, all.length - CRC_BYTES);
        int crc = ByteBuffer.wrap(all).getInt(body.length);
        if (crc != crc(body)) {
            throw invalid("it was changed or cut");
        }
        return body;
    }

    private static int check(VisitPlan plan) {
        var bytes = ByteBuffer.allocate(plan.partitions().size() * Integer.BYTES);
        plan.partitions().forEach(bytes::putInt);
        return crc(bytes.array());
    }

    private static int crc(byte[] bytes) {
        var crc = new CRC32C();
        crc.update(bytes);
        return (int) crc.getValue();
    }

    private static InvalidRequestException invalid(String why) {
        return DocumentParameters.invalid("the continuation cannot be used: " + why);
    }
}
