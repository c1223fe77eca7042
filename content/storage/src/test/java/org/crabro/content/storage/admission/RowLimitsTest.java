package org.crabro.content.storage.admission;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldValue;
import org.crabro.protocol.encoding.Row;
import org.crabro.protocol.encoding.RowEncoding;
import org.crabro.protocol.feed.WriteReply;
import org.junit.jupiter.api.Test;

class RowLimitsTest {
    private static final DocumentId MAIL = DocumentId.parse("id:ns:mail::1");
    private static final DocumentId NOTE = DocumentId.parse("id:ns:note::1");

    private static final FieldValue EMPTY = new FieldValue.StringValue("");

    private final RowLimits limits = new RowLimits(1_000, 16 * 5_000, false);

    @Test
    void refusesWhatIsLargerThanUsual() {
        assertThat(limits.refusal(MAIL, 1_000)).isEmpty();
        assertThat(limits.refusal(MAIL, 1_001))
                .contains(
                        new WriteReply.Rejected(
                                "id:ns:mail::1 has 1001 bytes, more than the maximum of 1000"));
    }

    @Test
    void asksTheTypesOwnLimitWhileItHasOne() {
        limits.set(Map.of("mail", 3_000));
        assertThat(limits.refusal(MAIL, 3_000)).isEmpty();
        assertThat(limits.refusal(MAIL, 3_001)).isPresent();
        assertThat(limits.refusal(NOTE, 1_001)).isPresent();

        limits.set(Map.of());
        assertThat(limits.refusal(MAIL, 1_001)).isPresent();
    }

    @Test
    void rejectsRowsThatExceedTheHeap() {
        limits.set(Map.of("mail", 9_000));

        assertThat(limits.refusal(MAIL, 5_000)).isEmpty();
        assertThat(limits.refusal(MAIL, 5_001))
                .contains(
                        new WriteReply.Rejected(
                                "id:ns:mail::1 has 5001 bytes, more than the maximum of 5000:"
                                        + " a sixteenth of the heap"));
    }

    @Test
    void rejectsAShortRowWhoseValuesTakeMuchMemory() {
        long heap = 64L << 20;
        var type =
                new DocumentType(
                        "mail",
                        List.of(
                                new Field("text", FieldType.Primitive.STRING, true),
                                new Field(
                                        "tags",
                                        new FieldType.ArrayOf(FieldType.Primitive.STRING),
                                        true)));
        byte[] elements =
                row(type, "tags", new FieldValue.ArrayValue(Collections.nCopies(200_000, EMPTY)));
        byte[] text =
                row(
                        type,
                        "text",
                        new FieldValue.StringValue("x".repeat((int) (heap / 16) - 1_000)));
        var ofHeap = new RowLimits(Integer.MAX_VALUE, heap, false);

        assertThat(elements).hasSizeLessThan((int) (heap / 16));
        assertThat(ofHeap.refusal(MAIL, elements, type))
                .hasValueSatisfying(reply ->
                        assertThat(reply)
                                .isInstanceOf(WriteReply.TooLarge.class)
                                .asString()
                                .contains("id:ns:mail::1 has values that take 22401")
                                .contains(
                                        " more than the maximum of 17825792: a quarter of the heap"));
        assertThat(ofHeap.refusal(MAIL, text, type)).as("the longest text").isEmpty();
    }

    private static byte[] row(DocumentType type, String field, FieldValue value) {
        return RowEncoding.encode(
                new Row(MAIL, 0, type.fingerprint(), false, Map.of(field, value)), type);
    }

    @Test
    void rejectsRowsThatExceedAnEntryOfReplicas() {
        var replicated = new RowLimits(64 << 20, 16L << 30, true);

        assertThat(replicated.refusal(MAIL, 8 << 20)).isEmpty();
        assertThat(replicated.refusal(MAIL, (8 << 20) + 1))
                .contains(
                        new WriteReply.TooLarge(
                                "id:ns:mail::1 has 8388609 bytes, more than the maximum of"
                                        + " 8388608: the limit with replicas"));
    }
}
