package org.crabro.container.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.crabro.document.DocumentId;
import org.crabro.protocol.cluster.PartitionPosition;
import org.crabro.protocol.feed.WriteReply;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ReplyStatusTest {
    private static final DocumentId ID = DocumentId.parse("id:ns:music:g=anna:1");
    private static final String NO_DOCUMENT = "there is no document: nothing is updated";
    private static final WriteReply.Stored STORED =
            new WriteReply.Stored(1, new PartitionPosition(0, 1));

    /**
     * An outcome and its status.
     *
     * @param strict the code for requests with {@code strict=true}
     * @param retryAfter seconds; 0 for none
     */
    record Row(WriteResult outcome, int code, int strict, String message, long retryAfter) {
        Row(WriteResult outcome, int code, String message) {
            this(outcome, code, code, message, 0);
        }

        Row(WriteReply reply, int code, String message) {
            this(new WriteResult.Answered(reply), code, message);
        }
    }

    private static Stream<Row> rows() {
        return Stream.of(
                new Row(STORED, 200, ""),
                new Row(
                        new WriteResult.Answered(new WriteReply.Missing()),
                        200,
                        404,
                        NO_DOCUMENT,
                        0),
                new Row(
                        new WriteReply.ConditionNotMet(true),
                        412,
                        ConditionNotMet.message(ID, true)),
                new Row(
                        new WriteReply.ConditionNotMet(false),
                        412,
                        ConditionNotMet.message(ID, false)),
                new Row(new WriteReply.Rejected("r"), 400, "r"),
                new Row(new WriteReply.TooLarge("l"), 413, "l"),
                new Row(
                        new WriteResult.Answered(
                                new WriteReply.Overloaded(Duration.ofMillis(1_500))),
                        429,
                        429,
                        "overload: the content node has too much to write",
                        2),
                new Row(new WriteReply.OutOfSpace("s"), 507, "s"),
                new Row(new WriteReply.TimedOut(), 504, "Timeout after 3000ms"),
                new Row(new WriteReply.Failed("f"), 500, "f"),
                new Row(
                        new WriteResult.Answered(new WriteReply.Unavailable("u")),
                        503,
                        503,
                        "u",
                        1),
                new Row(
                        new WriteReply.OutcomeUnknown("x"),
                        504,
                        "outcome unknown, the operation may or may not be carried out: x"),
                new Row(
                        new WriteReply.WrongOwner(7),
                        500,
                        "no node owns the partition by cluster state 7"),
                new Row(
                        new WriteResult.Partly(STORED, "f[2]"),
                        200,
                        "there is no 'f[2]': that part of the update changed nothing"),
                new Row(new WriteResult.Forbidden("n"), 403, "n"),
                new Row(new WriteResult.Ignored("i"), 200, "i"));
    }

    @ParameterizedTest
    @MethodSource("rows")
    void hasOneStatusForEachOutcome(Row row) {
        Duration timeout = Duration.ofSeconds(3);
        ReplyStatus status =
                ReplyStatus.of(row.outcome, ReplyStatus.Context.of(ID, timeout, false));
        ReplyStatus strict = ReplyStatus.of(row.outcome, ReplyStatus.Context.of(ID, timeout, true));

        assertThat(status.code()).isEqualTo(row.code);
        assertThat(strict.code()).isEqualTo(row.strict);
        assertThat(List.of(status.message(), strict.message())).containsOnly(row.message);
        assertThat(status.retryAfter().map(ReplyStatus::seconds).orElse(0L))
                .isEqualTo(row.retryAfter);
    }

    /** A new outcome must get a row. */
    @Test
    void coversEveryOutcome() {
        Set<Class<?>> covered = new HashSet<>();
        rows().forEach(row ->
                covered.add(
                        row.outcome instanceof WriteResult.Answered(WriteReply reply)
                                ? reply.getClass()
                                : row.outcome.getClass()));

        Set<Class<?>> outcomes =
                Stream.concat(kinds(WriteReply.class), kinds(WriteResult.class))
                        .filter(each -> !each.equals(WriteResult.Answered.class))
                        .collect(Collectors.toSet());
        assertThat(covered).containsExactlyInAnyOrderElementsOf(outcomes);
    }

    private static Stream<Class<?>> kinds(Class<?> type) {
        return type.isSealed()
                ? Arrays.stream(type.getPermittedSubclasses()).flatMap(ReplyStatusTest::kinds)
                : Stream.of(type);
    }

    @Test
    void doesNotNeedADocument() {
        var unmet = new WriteResult.Answered(new WriteReply.ConditionNotMet(true));

        assertThat(ReplyStatus.of(unmet, ReplyStatus.Context.ofMany()))
                .isEqualTo(new ReplyStatus(412, "the condition is not met", Optional.empty()));
    }
}
