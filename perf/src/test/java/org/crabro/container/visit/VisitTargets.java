package org.crabro.container.visit;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.crabro.container.document.DocumentParameters;
import org.crabro.container.document.DocumentPath;
import org.crabro.container.document.InvalidRequestException;
import org.crabro.container.document.PathTargets;
import org.crabro.document.InvalidDocumentException;
import org.crabro.document.select.SelectedPlaces;
import org.crabro.document.select.Selection;
import org.crabro.document.select.SelectionTypes;
import org.crabro.perf.fuzz.FuzzTarget;
import org.crabro.perf.fuzz.FuzzedApplication;
import org.crabro.protocol.cluster.Partitions;
import org.crabro.protocol.visit.VisitSlice;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;
import org.eclipse.jetty.http.HttpException;

/** Parameters and continuations of visits, and the answer formats that a client accepts. */
public final class VisitTargets {
    private VisitTargets() {}

    /** Returns the targets. */
    public static List<FuzzTarget> all() {
        var orders =
                new VisitOrderReader(
                        FuzzedApplication.model(), Duration.ofSeconds(1), _ -> new NoPages());
        return List.of(
                FuzzTarget.ofText(
                        "visit-parameters",
                        text -> order(orders, text),
                        InvalidRequestException.class,
                        InvalidDocumentException.class,
                        // Of a query string that is not encoded as URLs are.
                        HttpException.IllegalArgumentException.class,
                        HttpException.IllegalStateException.class),
                FuzzTarget.ofBytes(
                        "visit-continuations",
                        VisitTargets::continuation,
                        InvalidRequestException.class),
                FuzzTarget.ofText(
                        "accepted-forms",
                        text -> AcceptedForm.of(List.of(text)),
                        InvalidRequestException.class));
    }

    /** Reads of documents that no target uses. */
    private static final class NoPages implements VisitReads {
        @Override
        public Partitions partitions() {
            return Partitions.DEFAULT;
        }

        @Override
        public PageReply read(
                Principal principal,
                Deadline deadline,
                SelectedPlaces places,
                RequestMaker request) {
            throw new AssertionError("nothing is read");
        }
    }

    /** The first line is a path, the second the query of a URL, the rest a header. */
    private static void order(VisitOrderReader orders, String text) {
        String[] lines = text.split("\n", 3);
        Optional<DocumentPath> path = DocumentPath.parse("/document/v1/" + lines[0]);
        if (path.isEmpty()) {
            return;
        }
        DocumentParameters parameters = PathTargets.parameters(lines.length > 1 ? lines[1] : "");
        List<String> accept = lines.length > 2 ? List.of(lines[2]) : List.of();
        orders.visit(path.get(), lines[0], parameters, accept);
        orders.bySelection(path.get(), lines[0], parameters);
        if (path.get() instanceof DocumentPath.Groups groups) {
            orders.groups(groups, lines[0], parameters);
        }
    }

    /** Adds the right checksum, and checks that a parsed text is written as the same text. */
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
