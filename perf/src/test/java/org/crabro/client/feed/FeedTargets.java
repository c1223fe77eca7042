package org.crabro.client.feed;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.crabro.document.DocumentId;
import org.crabro.document.InvalidDocumentException;
import org.crabro.document.LocationKey;
import org.crabro.document.json.LeftOutCells;
import org.crabro.document.json.OperationReader;
import org.crabro.perf.fuzz.FuzzTarget;
import org.crabro.perf.fuzz.FuzzedApplication;

/** Feed files as the client reads them. */
public final class FeedTargets {
    private static final int LONGEST = 1 << 20;

    private static final LocationKey GROUP = new LocationKey.Group("anna");
    private static final GroupLines ANNA = new GroupLines(GROUP);
    private static final OperationReader OPERATIONS =
            new OperationReader(List.of(FuzzedApplication.type()), false);

    private FeedTargets() {}

    /** Returns the targets. */
    public static List<FuzzTarget> all() {
        return List.of(
                FuzzTarget.ofText(
                        "feed-lines", FeedOperation::parse, InvalidDocumentException.class),
                FuzzTarget.ofBytes("feed-files", FeedTargets::split, IOException.class),
                FuzzTarget.ofBytes("spooled-operations", FeedTargets::spooled, IOException.class),
                FuzzTarget.ofBytes("group-lines", FeedTargets::group, IOException.class));
    }

    /** A line that passes belongs to the group for all readers that accept it. */
    private static void group(byte[] line) throws IOException {
        ANNA.check(line, 1);
        ofClient(line).ifPresent(FeedTargets::check);
        ofServer(line).ifPresent(FeedTargets::check);
    }

    private static Optional<DocumentId> ofClient(byte[] line) {
        try {
            return Optional.of(FeedOperation.parse(new String(line, UTF_8)).id());
        } catch (InvalidDocumentException _) {
            return Optional.empty();
        }
    }

    private static Optional<DocumentId> ofServer(byte[] line) {
        try {
            return Optional.of(
                    OPERATIONS
                            .read(line, 0, line.length, LeftOutCells.UNCOUNTED)
                            .operation()
                            .operation()
                            .id());
        } catch (InvalidDocumentException _) {
            return Optional.empty();
        }
    }

    private static void check(DocumentId id) {
        if (!id.key().equals(GROUP)) {
            throw new AssertionError(id + " passed");
        }
    }

    /** Bytes that are an operation are written as the same operation. */
    private static void spooled(byte[] content) throws IOException {
        FeedOperation operation = SpooledOperation.decode("id:a:b::1", content);
        FeedOperation again =
                SpooledOperation.decode("id:a:b::1", SpooledOperation.encode(operation));
        if (!again.equals(operation)) {
            throw new AssertionError(operation + " is read as " + again);
        }
    }

    private static void split(byte[] file) throws IOException {
        var operations = new OperationSplitter(new ByteArrayInputStream(file), LONGEST);
        while (operations.next().isPresent()) {
            if (operations.number() > file.length) {
                throw new AssertionError("more operations than bytes");
            }
        }
    }
}
