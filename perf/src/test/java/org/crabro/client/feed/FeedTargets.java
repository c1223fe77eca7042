package org.crabro.client.feed;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import org.crabro.document.InvalidDocumentException;
import org.crabro.perf.fuzz.FuzzTarget;

/** Feed files as the client reads them. */
public final class FeedTargets {
    private static final int LONGEST = 1 << 20;

    private FeedTargets() {}

    /** Returns the targets. */
    public static List<FuzzTarget> all() {
        return List.of(
                FuzzTarget.ofText(
                        "feed-lines", FeedOperation::parse, InvalidDocumentException.class),
                FuzzTarget.ofBytes("feed-files", FeedTargets::split, IOException.class));
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
