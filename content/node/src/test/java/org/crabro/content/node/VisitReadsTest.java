package org.crabro.content.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.crabro.content.storage.journal.MemoryLogFiles;
import org.crabro.content.storage.partition.ColdFiles;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldValue;
import org.crabro.document.json.TensorFormat;
import org.crabro.protocol.visit.PageLimits;
import org.crabro.protocol.visit.VisitForm;
import org.crabro.protocol.visit.VisitReply;
import org.crabro.protocol.visit.VisitRequest;
import org.crabro.protocol.visit.VisitScope;
import org.crabro.protocol.visit.VisitSlice;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Visits of files without pages in memory read the bytes that they need, and few others. */
class VisitReadsTest {
    private static final DocumentType NOTE =
            new DocumentType(
                    "note",
                    List.of(
                            new Field("text", FieldType.Primitive.STRING, true),
                            new Field("user", FieldType.Primitive.INT, true)));

    private static final int USERS = 8;
    private static final int NOTES = 800;
    private static final int TEXT = 2_000;

    /** The size of block headers, and of pages that two blocks share. */
    private static final long SLACK = 200 << 10;

    private final ColdFiles files = new ColdFiles(new MemoryLogFiles());
    private VisitedNode node;
    private long whole;

    @BeforeEach
    void feed() throws IOException {
        node = new VisitedNode(files, List.of(NOTE));
        var random = new Random(1);
        for (int user = 0; user < USERS; user++) {
            for (int i = 0; i < NOTES; i++) {
                String text = letters(random);
                node.put(
                        new Document(
                                DocumentId.parse("id:test:note:n=%d:%d".formatted(user, i)),
                                Map.of(
                                        "text",
                                        new FieldValue.StringValue(text),
                                        "user",
                                        new FieldValue.IntValue(user))));
            }
        }
        node.node().flush();
        whole = read(request("", VisitSlice.ALL, List.of("text", "user")), USERS * NOTES);
        assertThat(whole).isGreaterThan(USERS * NOTES * TEXT / 2);
    }

    private static String letters(Random random) {
        var letters = new byte[TEXT];
        random.nextBytes(letters);
        for (int i = 0; i < TEXT; i++) {
            letters[i] = (byte) ('a' + Byte.toUnsignedInt(letters[i]) % 26);
        }
        return new String(letters, StandardCharsets.US_ASCII);
    }

    @AfterEach
    void close() {
        node.close();
    }

    private static VisitRequest request(String selection, VisitSlice slice, List<String> fields) {
        VisitRequest all =
                VisitedNode.all(
                        List.of(NOTE),
                        new VisitForm.Json(VisitForm.Style.LINES, TensorFormat.SHORT, false));
        return new VisitRequest(
                all.header(),
                new VisitScope(0, selection, slice, Optional.empty(), 0, Long.MAX_VALUE),
                Map.of("note", fields),
                false,
                all.form(),
                new PageLimits(1_000, 256 << 10));
    }

    /** Returns the bytes that a visit loads, which returns {@code documents} documents. */
    private long read(VisitRequest request, int documents) {
        files.evict();
        int count = node.pages(request).stream().mapToInt(VisitReply.Page::count).sum();
        assertThat(count).isEqualTo(documents);
        return files.loadedBytes();
    }

    @Test
    void readsOneGroupAlone() {
        long loaded = read(request("id.user == 3", VisitSlice.ALL, List.of("text")), NOTES);

        assertThat(loaded).isLessThan(whole / USERS + SLACK);
    }

    @Test
    void readsGroupsAndBucketsThatASelectionNamesAlone() {
        long two =
                read(
                        request(
                                "(id.user == 3 or 5 == id.user) and note.user >= 0",
                                VisitSlice.ALL,
                                List.of("text")),
                        2 * NOTES);
        long bucket = 32L << 58 | 3;
        long one = read(request("id.bucket == " + bucket, VisitSlice.ALL, List.of("text")), NOTES);

        assertThat(two).isLessThan(2 * (whole / USERS + SLACK));
        // The start of a bucket is in a block that may have earlier rows: that block is read, too.
        assertThat(one).isLessThan(whole / USERS + (1 << 20) + SLACK);
    }

    @Test
    void readsTextsOnlyOfBlocksThatMayBeMeantByTime() {
        // The clock of the node shows 1,000 seconds: of users 0 to 7, only the last is beyond 6.
        long loaded =
                read(
                        request(
                                "note.user > now() - 994 and not note.user == 8",
                                VisitSlice.ALL,
                                List.of("text")),
                        NOTES);

        assertThat(loaded).isLessThan(whole / USERS + SLACK);
    }

    /** The selection that expiry uses. The clock of the node shows 1,000 seconds. */
    @Test
    void looksForWhatHasExpiredOnlyWhereBoundsSayThatItMayBe() {
        long none = read(expired("not (note.user > now() - 1001)"), 0);
        long some = read(expired("not (note.user > now() - 1000)"), NOTES);

        assertThat(none).isLessThan(SLACK);
        assertThat(some).isLessThan(whole / USERS / 4 + SLACK);
    }

    private static VisitRequest expired(String selection) {
        VisitRequest of = request(selection, VisitSlice.ALL, List.of());
        return new VisitRequest(
                of.header(), of.scope(), of.fields(), false, new VisitForm.Ids(), of.limits());
    }

    @Test
    void readsOneDocumentAlone() {
        long loaded =
                read(request("id == 'id:test:note:n=3:7'", VisitSlice.ALL, List.of("text")), 1);

        assertThat(loaded).isLessThan(SLACK);
    }

    @Test
    void readsNoTextsWhereNoneAreShown() {
        long loaded = read(request("", VisitSlice.ALL, List.of("user")), USERS * NOTES);

        assertThat(loaded).isLessThan(whole / 10);
    }

    @Test
    void passesOverBlocksThatTheSelectionCannotHoldIn() {
        long loaded = read(request("note.user > 6", VisitSlice.ALL, List.of("text")), NOTES);
        long none = read(request("note.user < 0", VisitSlice.ALL, List.of("text")), 0);

        assertThat(loaded).isLessThan(whole / USERS + SLACK);
        assertThat(none).isLessThan(SLACK);
    }

    @Test
    void readsASliceOfAGroupAlone() {
        VisitRequest slice = request("id.user == 3", new VisitSlice(1, 2), List.of("text"));
        files.evict();
        int count = node.pages(slice).stream().mapToInt(VisitReply.Page::count).sum();

        assertThat(count).isBetween(NOTES / 3, 2 * NOTES / 3);
        // The slice starts inside a block; the other slice has the rest of that block.
        assertThat(files.loadedBytes()).isLessThan(whole / USERS * 9 / 10 + SLACK);
    }

    @Test
    void goesOnWhereThePageBeforeEnded() {
        VisitRequest all = request("", VisitSlice.ALL, List.of("text"));
        List<VisitReply.Page> pages = node.pages(all);
        VisitReply.Page beforeLast =
                IntStream.iterate(pages.size() - 1, i -> i >= 0, i -> i - 1)
                        .mapToObj(pages::get)
                        .filter(page -> page.last().isPresent())
                        .findFirst()
                        .orElseThrow();
        files.evict();

        VisitReply reply = node.node().visit(VisitedNode.at(all, 1, beforeLast.last()));

        assertThat(reply).isInstanceOf(VisitReply.Page.class);
        assertThat(files.loadedBytes()).isLessThan(2 * (1 << 20) + SLACK);
    }
}
