package org.crabro.protocol.encoding;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldType.Primitive;
import org.crabro.tensor.TensorType;
import org.junit.jupiter.api.Test;

class DocumentTypeEncodingTest {
    private static final DocumentType TYPE =
            new DocumentType(
                    "mail",
                    List.of(
                            new Field("a", Primitive.STRING, true),
                            new Field("b", Primitive.BOOL, true),
                            new Field("c", Primitive.INT, true),
                            new Field("d", Primitive.LONG, true),
                            new Field("e", Primitive.FLOAT, true),
                            new Field("f", Primitive.DOUBLE, true),
                            new Field("g", new FieldType.ArrayOf(Primitive.STRING), true),
                            new Field(
                                    "vector",
                                    new FieldType.TensorOf(TensorType.parse("tensor<int8>(x[3])")),
                                    false)));

    @Test
    void keepsTheBytesThatAreWrittenDown() throws IOException {
        String hex;
        try (var in = DocumentTypeEncodingTest.class.getResourceAsStream("type-1.hex")) {
            hex = new String(in.readAllBytes(), US_ASCII).replaceAll("#.*|\\s", "");
        }

        assertThat(HexFormat.of().formatHex(DocumentTypeEncoding.encode(TYPE))).isEqualTo(hex);
        DocumentType decoded = DocumentTypeEncoding.decode(HexFormat.of().parseHex(hex));
        assertThat(decoded).isEqualTo(TYPE);
        assertThat(decoded.fingerprint()).isEqualTo(TYPE.fingerprint());
    }

    /** Every kind that the golden file of before has not. */
    private static final DocumentType RARER =
            new DocumentType(
                    "rare",
                    List.of(
                            new Field("h", new FieldType.WeightedSetOf(Primitive.STRING), true),
                            new Field(
                                    "i", new FieldType.MapOf(Primitive.INT, Primitive.LONG), true),
                            new Field("j", FieldType.StructOf.POSITION, true),
                            new Field("k", Primitive.BYTE, true),
                            new Field("l", Primitive.FLOAT16, true),
                            new Field("m", Primitive.URI, true),
                            new Field("n", Primitive.RAW, true),
                            new Field("o", Primitive.PREDICATE, true)));

    @Test
    void keepsTheBytesOfRarerKinds() throws IOException {
        String hex;
        try (var in = DocumentTypeEncodingTest.class.getResourceAsStream("type-1-rarer.hex")) {
            hex = new String(in.readAllBytes(), US_ASCII).replaceAll("#.*|\\s", "");
        }

        assertThat(HexFormat.of().formatHex(DocumentTypeEncoding.encode(RARER))).isEqualTo(hex);
        assertThat(DocumentTypeEncoding.decode(HexFormat.of().parseHex(hex))).isEqualTo(RARER);
    }

    @Test
    void keepsWhatReferencesReferTo() {
        var type =
                new DocumentType(
                        "m", List.of(new Field("r", new FieldType.ReferenceOf("artist"), true)));

        byte[] bytes = DocumentTypeEncoding.encode(type);

        assertThat(HexFormat.of().formatHex(bytes))
                .isEqualTo("01" + "00016d" + "0001" + "000172" + "01" + "10" + "0006617274697374");
        assertThat(DocumentTypeEncoding.decode(bytes)).isEqualTo(type);
    }

    @Test
    void refusesWhatIsTooShortOrTooLong() {
        byte[] whole = DocumentTypeEncoding.encode(TYPE);
        for (int length = 0; length < whole.length; length++) {
            byte[] part = Arrays.copyOf(whole, length);

            assertThatIllegalArgumentException()
                    .as("%d bytes", length)
                    .isThrownBy(() -> DocumentTypeEncoding.decode(part));
        }
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> DocumentTypeEncoding.decode(Arrays.copyOf(whole, whole.length + 1)))
                .withMessageContaining("ends 1 bytes early");
    }

    @Test
    void refusesWhatIsNestedTooDeep() {
        byte[] arrays = HexFormat.of().parseHex("01" + "00016d" + "0001" + "000172" + "01" + "06");
        byte[] deep = Arrays.copyOf(arrays, 100_000);
        Arrays.fill(deep, arrays.length, deep.length, (byte) 6);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> DocumentTypeEncoding.decode(deep))
                .withMessage("a type nests kinds deeper than 1000");
    }

    @Test
    void refusesAnotherVersionByNumber() {
        byte[] newer = DocumentTypeEncoding.encode(TYPE);
        newer[0] = 2;

        assertThatIllegalArgumentException()
                .isThrownBy(() -> DocumentTypeEncoding.decode(newer))
                .withMessage("a type has version 2, expected 1");
    }
}
