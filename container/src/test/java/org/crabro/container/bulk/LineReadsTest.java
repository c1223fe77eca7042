package org.crabro.container.bulk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.crabro.config.schema.Schema;
import org.crabro.container.document.DocumentReads;
import org.crabro.container.document.FieldSet;
import org.crabro.container.document.NotesPackage;
import org.crabro.container.document.ReadReply;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;
import org.crabro.document.FieldValue;
import org.crabro.document.json.TensorFormat;
import org.crabro.protocol.feed.GetReply;
import org.crabro.protocol.wire.Principal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LineReadsTest {
    private static final DocumentId ID = DocumentId.parse("id:ns:note::1");
    private static final GetReply FOUND =
            new GetReply.Found(
                    new Document(ID, Map.of("text", new FieldValue.StringValue("a".repeat(100)))),
                    1);

    @TempDir Path directory;

    private final AtomicInteger overloads = new AtomicInteger();
    private final AtomicInteger open = new AtomicInteger();
    private final DocumentReads reads =
            (_, _, _, hold) -> {
                open.incrementAndGet();
                hold.add(open::decrementAndGet);
                return new ReadReply.Answered(
                        overloads.getAndDecrement() > 0
                                ? new GetReply.Overloaded(Duration.ofSeconds(1))
                                : FOUND);
            };

    @Test
    void oneDocumentIsShownHoweverLargeItIs() throws IOException, InterruptedException {
        assertThat(read(1, 1)).hasSize(1).allMatch(LineOutcome.Found.class::isInstance);
    }

    @Test
    void documentsBeyondTheBoundAreToBeAskedForAgain() throws IOException, InterruptedException {
        List<LineOutcome> outcomes = read(3, 200);

        assertThat(outcomes).filteredOn(LineOutcome.Found.class::isInstance).hasSize(1);
        assertThat(outcomes)
                .filteredOn(each -> each instanceof WriteStatus status && status.status() == 429)
                .hasSize(2);
    }

    @Test
    void waitsWhereOthersHoldTooMuch() throws IOException, InterruptedException {
        overloads.set(2);
        assertThat(read(1, 200)).hasSize(1).allMatch(LineOutcome.Found.class::isInstance);
    }

    @Test
    void holdsNoValuesUntilLinesAreAnswered() throws IOException, InterruptedException {
        read(5, 10_000);
        assertThat(open).hasValue(0);
    }

    private List<LineOutcome> read(int lines, long mostBytes)
            throws IOException, InterruptedException {
        var options =
                new BulkOptions(
                        Duration.ofSeconds(60),
                        true,
                        false,
                        false,
                        false,
                        new BulkOptions.Shown(TensorFormat.SHORT, Optional.empty(), false));
        Schema schema = Objects.requireNonNull(NotesPackage.model(directory).schemas().get("note"));
        return new LineReads(reads, Principal.EVERYONE, options, mostBytes)
                .read(
                        Collections.nCopies(
                                lines, new BulkLine.Get(1, ID, FieldSet.document(schema))));
    }
}
