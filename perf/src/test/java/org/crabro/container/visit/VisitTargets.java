package org.crabro.container.visit;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.List;
import java.util.zip.CRC32C;
import org.crabro.container.document.InvalidRequestException;
import org.crabro.document.select.Selection;
import org.crabro.document.select.SelectionTypes;
import org.crabro.perf.FuzzTarget;
import org.crabro.perf.FuzzedApplication;
import org.crabro.protocol.cluster.Partitions;
import org.crabro.protocol.visit.VisitSlice;

/** Continuations of visits, and what a client accepts. */
public final class VisitTargets {
    private VisitTargets() {}

    /** Returns the targets. */
    public static List<FuzzTarget> all() {
        return List.of(
                FuzzTarget.ofBytes(
                        "visit-continuations",
                        VisitTargets::continuation,
                        InvalidRequestException.class),
                FuzzTarget.ofText(
                        "accepted-forms",
                        text -> AcceptedForm.of(List.of(text)),
                        InvalidRequestException.class));
    }

    /** The checksum behind the input is put right; what is read is written as the same text. */
    private static void continuation(byte[] input) {
        SelectionTypes types = SelectionTypes.of(List.of(FuzzedApplication.type()));
        VisitPlan plan = VisitPlan.of(Selection.parse("true", types).places(), Partitions.DEFAULT);
        var slice = new VisitSlice(0, 1);
        Continuation read = Continuation.parse(sealed(input), plan, slice);
        Continuation again = Continuation.parse(read.token(), plan, slice);
        if (!read.equals(again)) {
            throw new AssertionError("was " + read + " and reads back as " + again);
        }
    }

    private static String sealed(byte[] input) {
        var crc = new CRC32C();
        crc.update(input);
        byte[] sealed =
                ByteBuffer.allocate(input.length + Integer.BYTES)
                        .put(input)
                        .putInt((int) crc.getValue())
                        .array();
        return Base64.getUrlEncoder().withoutPadding().encodeToString(sealed);
    }
}
