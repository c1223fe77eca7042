package org.crabro.container.visit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Optional;
import org.crabro.protocol.visit.VisitReply;
import org.junit.jupiter.api.Test;

class HeldPagesTest {
    private static final int MIB = 1 << 20;

    private final VisitAdmission admission =
            new VisitAdmission(new VisitSettings(16, 16, 1_000, MIB));

    @Test
    void readsNoLargePageBeyondWhatAllVisitsMayHold() {
        try (var one = new HeldPages(pages(20 * MIB), admission);
                var other = new HeldPages(pages(13 * MIB), admission);
                var small = new HeldPages(pages(8 * MIB), admission)) {
            VisitReply.Page first = read(one);
            assertThat(refused(other))
                    .isEqualTo(
                            "overload: visits under way hold 20971520 bytes of large documents and"
                                    + " this one would hold 13631488 more, at most 33554432");
            for (int i = 0; i < 9; i++) {
                read(small);
            }

            one.taken(first);
            read(other);
        }
    }

    @Test
    void readsALargePageAnywayWhereNoOtherVisitHoldsOne() {
        try (var alone = new HeldPages(pages(30 * MIB), admission);
                var other = new HeldPages(pages(30 * MIB), admission)) {
            read(alone);
            VisitReply.Page second = read(alone);
            alone.taken(second);
            refused(other);
        }
    }

    @Test
    void letsGoOfWhatWasNotTaken() {
        try (var broken = new HeldPages(pages(30 * MIB), admission)) {
            read(broken);
        }
        try (var next = new HeldPages(pages(30 * MIB), admission);
                var small = new HeldPages(pages(9 * MIB), admission)) {
            read(next);
            refused(small);
        }
    }

    private static VisitWalk.Pages pages(int bytes) {
        var text = new VisitReply.Contents.Json(ByteBuffer.allocate(bytes));
        return (_, _, _) ->
                new PageReply.Answered(new VisitReply.Page(text, 1, Optional.empty(), 1));
    }

    private static VisitReply.Page read(HeldPages pages) {
        VisitReply reply = reply(pages);
        assertThat(reply).isInstanceOf(VisitReply.Page.class);
        return (VisitReply.Page) reply;
    }

    private static String refused(HeldPages pages) {
        VisitReply reply = reply(pages);
        assertThat(reply).isInstanceOf(VisitReply.Overloaded.class);
        return ((VisitReply.Overloaded) reply).reason();
    }

    private static VisitReply reply(HeldPages pages) {
        return ((PageReply.Answered) pages.read(0, Optional.empty(), 1)).reply();
    }
}
