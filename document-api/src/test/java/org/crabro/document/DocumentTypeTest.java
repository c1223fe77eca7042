package org.crabro.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.crabro.document.FieldType.ArrayOf;
import org.crabro.document.FieldType.Primitive;
import org.crabro.document.FieldType.TensorOf;
import org.crabro.tensor.TensorType;
import org.junit.jupiter.api.Test;

class DocumentTypeTest {
    private static final Field TITLE = new Field("title", Primitive.STRING, true);
    private static final Field YEAR = new Field("year", Primitive.INT, true);
    private static final Field TAGS = new Field("tags", new ArrayOf(Primitive.STRING), true);
    private static final Field VECTOR =
            new Field("vector", new TensorOf(TensorType.parse("tensor<float>(x[3])")), false);

    /** Stored with every document: another value makes old data unreadable. */
    @Test
    void fingerprintNeverChanges() {
        var type = new DocumentType("music", List.of(TITLE, YEAR, TAGS, VECTOR));

        assertThat(Long.toHexString(type.fingerprint())).isEqualTo("fc40583d69c59701");
    }

    @Test
    void fingerprintTellsTypesApart() {
        long fingerprint = new DocumentType("music", List.of(TITLE, YEAR)).fingerprint();

        assertThat(new DocumentType("music", List.of(TITLE, YEAR)).fingerprint())
                .isEqualTo(fingerprint);
        assertThat(new DocumentType("music", List.of(YEAR, TITLE)).fingerprint())
                .isNotEqualTo(fingerprint);
        assertThat(new DocumentType("music", List.of(TITLE)).fingerprint())
                .isNotEqualTo(fingerprint);
        assertThat(new DocumentType("book", List.of(TITLE, YEAR)).fingerprint())
                .isNotEqualTo(fingerprint);
        Field asLong = new Field("year", Primitive.LONG, true);
        assertThat(new DocumentType("music", List.of(TITLE, asLong)).fingerprint())
                .isNotEqualTo(fingerprint);
    }

    @Test
    void equalsTypesOfTheSameNameAndFields() {
        var type = new DocumentType("music", List.of(TITLE, YEAR));

        assertThat(new DocumentType("music", List.of(TITLE, YEAR)))
                .isEqualTo(type)
                .hasSameHashCodeAs(type)
                .hasToString(type.toString());
        assertThat(new DocumentType("book", List.of(TITLE, YEAR))).isNotEqualTo(type);
        assertThat(new DocumentType("music", List.of(YEAR, TITLE))).isNotEqualTo(type);
    }

    @Test
    void hasEachFieldOnce() {
        assertThat(new DocumentType("music", List.of(TITLE, YEAR)).field("year")).contains(YEAR);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new DocumentType("music", List.of(TITLE, YEAR, TITLE)))
                .withMessage("two fields called title in document type music");
    }
}
