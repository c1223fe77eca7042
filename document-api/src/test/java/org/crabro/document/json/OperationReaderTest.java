package org.crabro.document.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType.ArrayOf;
import org.crabro.document.FieldType.Primitive;
import org.crabro.document.FieldValue;
import org.crabro.document.InvalidDocumentException;
import org.crabro.document.operation.ConditionalOperation;
import org.crabro.document.operation.DocumentOperation;
import org.crabro.document.operation.FieldChange;
import org.crabro.document.operation.FieldUpdate;
import org.crabro.document.operation.WriteCondition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JsonParser;

class OperationReaderTest {
    private static final DocumentId ID = DocumentId.parse("id:ns:music::1");
    private static final DocumentType MUSIC =
            new DocumentType(
                    "music",
                    List.of(
                            new Field("title", Primitive.STRING, true),
                            new Field("year", Primitive.INT, true),
                            new Field("prices", new ArrayOf(Primitive.DOUBLE), true)));

    private final OperationReader reader =
            new OperationReader(List.of(MUSIC, new DocumentType("artist", List.of())), false);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'put':'id:ns:music::1','fields':{'title':'Blü','prices':[1.50,2e3]}}",
                "{'id':'id:ns:music::1','fields':{'title':'Blü','prices':[1.50,2e3]}}",
                "{'fields':{'title':'Blü','prices':[1.50,2e3],'year':null},'put':'id:ns:music::1'}",
                "{'x':{'fields':1},'fields':{'prices':['1.5','2000.0'],'title':'Bl\u00fc'},"
                        + "'id':'id:ns:music::1','y':[]}"
            })
    void readsPuts(String line) {
        DocumentOperation operation = read(line).operation().operation();

        assertThat(operation)
                .isEqualTo(
                        new DocumentOperation.Put(
                                new Document(
                                        ID,
                                        Map.of(
                                                "title",
                                                new FieldValue.StringValue("Blü"),
                                                "prices",
                                                new FieldValue.ArrayValue(
                                                        List.of(
                                                                new FieldValue.DoubleValue(1.5),
                                                                new FieldValue.DoubleValue(
                                                                        2000)))))));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'update':'id:ns:music::1','condition':'c','create':true,"
                        + "'fields':{'year':{'increment':2.5}}}",
                "{'fields':{'year':{'increment':2.5}},'create':true,'condition':'c',"
                        + "'update':'id:ns:music::1'}"
            })
    void readsUpdates(String line) {
        assertThat(read(line).operation())
                .isEqualTo(
                        new ConditionalOperation(
                                new DocumentOperation.Update(
                                        ID,
                                        List.of(
                                                FieldUpdate.of(
                                                        "year",
                                                        new FieldChange.Arithmetic(
                                                                FieldChange.Operator.ADD, 2.5)))),
                                WriteCondition.of("c"),
                                true));
    }

    @Test
    void readsRemoves() {
        assertThat(read("{'remove':'id:ns:music::1','condition':'c'}").operation())
                .isEqualTo(
                        new ConditionalOperation(
                                new DocumentOperation.Remove(ID), WriteCondition.of("c"), false));
    }

    @Test
    void keepsNumbersAsTheyAreWrittenBeforeTheId() {
        DocumentOperation operation =
                read("{'fields':{'title':1e2},'put':'id:ns:music::1'}").operation().operation();

        assertThat(operation)
                .isEqualTo(
                        new DocumentOperation.Put(
                                new Document(
                                        ID, Map.of("title", new FieldValue.StringValue("1e2")))));
    }

    /** Zeros make the parser try UTF-32, but these bytes are not valid UTF-32. */
    @ParameterizedTest
    @ValueSource(strings = {"0000007b656b6473", "7b00000022", "00007b00", "007b0000"})
    void rejectsBytesThatAreInNoEncoding(String hex) {
        byte[] bytes = HexFormat.of().parseHex(hex);

        assertThatExceptionOfType(InvalidDocumentException.class)
                .isThrownBy(() -> reader.read(bytes, 0, bytes.length, LeftOutCells.UNCOUNTED))
                .withMessageStartingWith("the body is no well-formed JSON: ");
    }

    @Test
    void readsOneAfterAnotherFromAParser() {
        byte[] lines =
                "{\"remove\":\"id:ns:music::1\"}\n{\"remove\":\"id:ns:music::2\"}".getBytes(UTF_8);

        try (JsonParser parser = OperationReader.parser(lines, 0, lines.length)) {
            parser.nextToken();
            ReadOperation first = reader.read(parser, LeftOutCells.UNCOUNTED);
            parser.nextToken();
            ReadOperation second = reader.read(parser, LeftOutCells.UNCOUNTED);

            assertThat(first.operation().id()).isEqualTo(ID);
            assertThat(second.operation().id()).isEqualTo(DocumentId.parse("id:ns:music::2"));
            assertThat(parser.nextToken()).isNull();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    []                                       | expected an operation, an object, but found an array at line 1, column 1
                    {}                                       | expected "put", "update" or "remove" with a document id, but there is none
                    {'put':1}                                | expected a document id, a string, but found 1 at line 1, column 8
                    {'put':'x','fields':{}}                  | unparseable document id 'x': the scheme 'id:' is missing
                    {'put':'id:ns:music::1'}                 | id:ns:music::1: the document is missing the required "fields" field
                    {'update':'id:ns:music::1'}              | id:ns:music::1: the document is missing the required "fields" field
                    {'put':'id:ns:no::1','fields':{}}        | Document type no does not exist, only [artist, music]: id:ns:no::1
                    {'fields':{},'remove':'id:ns:music::1'}  | id:ns:music::1: a remove has no "fields"
                    {'remove':'id:ns:music::1','fields':{}}  | id:ns:music::1: a remove has no "fields"
                    {'remove':'id:ns:no::1'}                 | Document type no does not exist, only [artist, music]: id:ns:no::1
                    {'put':'id:ns:music::1','remove':'id:ns:music::1'} | an operation is one of put, update and remove, and has one id, but 'remove' is another
                    {'put':'id:ns:music::1','fields':{'year':'x'}} | id:ns:music::1: field 'year': expected an int, a whole number from -2147483648 to 2147483647, but found "x" at line 1, column 42
                    {'fields':{'year':'x'},'put':'id:ns:music::1'} | id:ns:music::1: field 'year': expected an int, a whole number from -2147483648 to 2147483647, but found "x"
                    {'update':'id:ns:music::1','fields':{'year':{'add':[]}}} | Error in 'year': 'add' is for arrays, weighted sets and tensors, not for int at line 1, column 52
                    {'put':'id:ns:music::1','fields':{}} 1   | expected the end after the operation, but found 1 at line 1, column 38
                    """)
    void saysWhatIsWrong(String line, String problem) {
        assertThatExceptionOfType(InvalidDocumentException.class)
                .isThrownBy(() -> read(line))
                .withMessage(problem);
    }

    @Test
    void saysWhatIsNoJson() {
        assertThatExceptionOfType(InvalidDocumentException.class)
                .isThrownBy(() -> read("{'put':'id:ns:music::1','fields':{"))
                .withMessageStartingWith("the body is no well-formed JSON: ");
    }

    private ReadOperation read(String line) {
        byte[] bytes = line.replace('\'', '"').getBytes(UTF_8);
        return reader.read(bytes, 0, bytes.length, LeftOutCells.UNCOUNTED);
    }
}
