package org.crabro.perf.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;
import org.crabro.document.FieldValue;
import org.crabro.document.InvalidDocumentException;
import org.crabro.document.Position;
import org.crabro.document.json.DocumentReader;
import org.crabro.document.json.FieldValueWriter;
import org.crabro.document.json.LeftOutCells;
import org.crabro.document.json.OperationReader;
import org.crabro.document.json.TensorFormat;
import org.crabro.document.json.TensorJson;
import org.crabro.document.json.UpdateReader;
import org.crabro.document.operation.FieldUpdates;
import org.crabro.document.select.InvalidSelectionException;
import org.crabro.document.select.SelectedDocument;
import org.crabro.document.select.Selection;
import org.crabro.document.select.SelectionTypes;
import org.crabro.document.select.Truth;
import org.crabro.protocol.encoding.Row;
import org.crabro.protocol.encoding.RowEncoding;
import org.crabro.ranking.expression.WrittenTensor;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.MixedTensor;
import org.crabro.tensor.Tensor;
import org.crabro.tensor.TensorSyntaxException;
import org.crabro.tensor.TensorText;
import org.crabro.tensor.TensorType;
import org.crabro.text.Folding;
import org.crabro.text.SpecialTokens;
import org.crabro.text.Tokenizer;
import org.crabro.text.WordAnalysis;

/** Ids, documents, updates, selections, tensors and texts. */
final class DocumentTargets {
    private static final DocumentId ID = DocumentId.parse("id:ns:all:g=anna:1");
    private static final List<TensorType> TYPES =
            List.of(
                    TensorType.SCALAR,
                    TensorType.parse("tensor<float>(x[3])"),
                    TensorType.parse("tensor<int8>(x[2],y[2])"),
                    TensorType.parse("tensor<bfloat16>(k{})"),
                    TensorType.parse("tensor(k{},x[2])"),
                    TensorType.parse("tensor(a{},b{},x[2])"));

    private static final SpecialTokens SPECIAL =
            SpecialTokens.of(
                    List.of(
                            new SpecialTokens.Token("c++", "c++"),
                            new SpecialTokens.Token("a.b", "a long replacement"),
                            new SpecialTokens.Token("é-", "e")));

    private DocumentTargets() {}

    static List<FuzzTarget> all() {
        var types = List.of(FuzzedApplication.type());
        var selectionTypes = SelectionTypes.of(types);
        var reader = new DocumentReader(FuzzedApplication.type());
        var operations = new OperationReader(types, false);
        var updates = new UpdateReader(FuzzedApplication.type(), false);
        Document document = document(reader);
        return List.of(
                FuzzTarget.ofText(
                        "document-ids", DocumentTargets::id, InvalidDocumentException.class),
                FuzzTarget.ofText("positions", Position::parse, InvalidDocumentException.class),
                FuzzTarget.ofText(
                        "selections",
                        text ->
                                select(
                                        Selection.parse(text, selectionTypes),
                                        selectionTypes,
                                        document),
                        InvalidSelectionException.class),
                FuzzTarget.ofBytes(
                        "documents", json -> put(reader, json), InvalidDocumentException.class),
                FuzzTarget.ofBytes(
                        "updates",
                        json -> update(updates, json, document),
                        InvalidDocumentException.class,
                        // The result of an update is rejected with this if it does not fit the
                        // document.
                        IllegalArgumentException.class),
                FuzzTarget.ofBytes(
                        "operations",
                        json -> operations.read(json, 0, json.length, LeftOutCells.UNCOUNTED),
                        InvalidDocumentException.class),
                FuzzTarget.ofText(
                        "tensor-types", DocumentTargets::type, TensorSyntaxException.class),
                FuzzTarget.ofText(
                        "tensors",
                        text -> tensor(DenseTensor.parse(text)),
                        TensorSyntaxException.class),
                FuzzTarget.ofBytes(
                        "typed-tensors", DocumentTargets::typed, TensorSyntaxException.class),
                FuzzTarget.ofBytes(
                        "tensor-json", DocumentTargets::json, TensorSyntaxException.class),
                FuzzTarget.ofText("texts", DocumentTargets::analyze));
    }

    private static void id(String text) {
        DocumentId id = DocumentId.parse(text);
        same(id, DocumentId.parse(id.toString()));
        same(id, DocumentId.parse(id.toString(), ID));
        id.location();
    }

    private static void select(Selection selection, SelectionTypes types, Document document) {
        Selection none = Selection.parse("false", types);
        for (List<Selection> parts : List.of(List.of(selection, none), List.of(none, selection))) {
            // Nodes parse the text. It selects nothing that one of the parts does not select.
            Selection both = Selection.allOf(parts, types);
            Selection sent = Selection.parseConjunction(both.toString(), types);
            same(selected(both, document), selected(sent, document));
            same(false, selected(sent, document));
        }
        selection.of(SelectedDocument.of(document), 1_000_000_000);
        selection.mayMean(ID.documentType(), 1_000_000_000, _ -> Optional.empty(), _ -> {});
        selection.mayMean(ID, 1_000_000_000, _ -> {});
        selection.places();
    }

    private static boolean selected(Selection selection, Document document) {
        return selection.of(SelectedDocument.of(document), 1_000_000_000) == Truth.TRUE;
    }

    private static Document document(DocumentReader reader) {
        String fields =
                """
                {"fields":{"text":"Hello world","word":"w","year":2020,"time":-5,"small":3,
                "ratio":1.5,"weight":-2.5,"good":true,"tags":["a","b"],"years":[1,2,3],
                "vector":[1,2,3],"sparse":{"a":1},"wide":{"a":[1,2,3,4]},"counts":{"a":2},
                "numbers":{"7":2},"both":{"a":"x","b":1},"all_pairs":[{"a":"x","b":1}],
                "pairs":{"k":1},"bytes":"AAEC","home":"http://x/y","place":"N37.4;W122.5"}}
                """;
        return reader.read(
                        ID,
                        new ByteArrayInputStream(fields.getBytes(UTF_8)),
                        LeftOutCells.UNCOUNTED)
                .document();
    }

    /** Checks that parsed fields are written, as JSON and as a row, and parse to the same. */
    private static void put(DocumentReader reader, byte[] json) {
        Map<String, FieldValue> fields =
                reader.read(ID, new ByteArrayInputStream(json), LeftOutCells.UNCOUNTED)
                        .document()
                        .fields();
        var written = new ByteArrayOutputStream();
        written.writeBytes("{\"fields\":{".getBytes(UTF_8));
        int count = 0;
        for (Map.Entry<String, FieldValue> field : fields.entrySet()) {
            written.writeBytes(
                    ((count++ == 0 ? "" : ",") + "\"" + field.getKey() + "\":").getBytes(UTF_8));
            written.writeBytes(FieldValueWriter.utf8(field.getValue(), TensorFormat.SHORT));
        }
        written.writeBytes("}}".getBytes(UTF_8));
        var again = new ByteArrayInputStream(written.toByteArray());
        same(fields, reader.read(ID, again, LeftOutCells.UNCOUNTED).document().fields());
        Row row = new Row(ID, 7, FuzzedApplication.type().fingerprint(), false, fields);
        byte[] bytes = RowEncoding.encode(row, FuzzedApplication.type());
        same(row, RowEncoding.decode(MemorySegment.ofArray(bytes), FuzzedApplication.type()));
    }

    private static void update(UpdateReader reader, byte[] json, Document document) {
        var body = reader.read(new ByteArrayInputStream(json), LeftOutCells.UNCOUNTED);
        FieldUpdates.apply(body.updates(), FuzzedApplication.type(), document.fields());
    }

    private static void type(String text) {
        TensorType type = TensorType.parse(text);
        same(type, TensorType.parse(type.toString()));
    }

    private static void tensor(DenseTensor tensor) {
        same(tensor, DenseTensor.parse(TensorText.of(tensor)));
        same(tensor, DenseTensor.parse(TensorText.longOf(tensor)));
    }

    /** The first byte chooses the type. */
    private static TensorType chosen(byte[] input) {
        return TYPES.get(input.length == 0 ? 0 : Math.floorMod(input[0], TYPES.size()));
    }

    private static String tail(byte[] input) {
        return input.length == 0 ? "" : new String(input, 1, input.length - 1, UTF_8);
    }

    private static void typed(byte[] input) {
        TensorType type = chosen(input);
        Tensor tensor = WrittenTensor.parse(tail(input), type);
        same(tensor, WrittenTensor.parse(TensorText.of(tensor), type));
        same(tensor, WrittenTensor.parse(TensorText.longOf(tensor), type));
    }

    private static void json(byte[] input) {
        TensorType type = chosen(input);
        Tensor tensor = TensorJson.parse(tail(input), type, LeftOutCells.UNCOUNTED);
        FieldValue value =
                switch (tensor) {
                    case DenseTensor dense -> new FieldValue.TensorValue(dense);
                    case MixedTensor mixed -> new FieldValue.MixedTensorValue(mixed);
                };
        for (TensorFormat format :
                List.of(TensorFormat.SHORT, TensorFormat.LONG, TensorFormat.HEX)) {
            String written = new String(FieldValueWriter.utf8(value, format), UTF_8);
            same(tensor, TensorJson.parse(written, type, LeftOutCells.UNCOUNTED));
        }
    }

    /**
     * Checks that folding a folded text changes nothing, and that tokens are their own only tokens.
     */
    private static void analyze(String text) {
        for (Folding folding : Folding.values()) {
            String folded = folding.of(text);
            same(folded, folding.of(folded));
        }
        Tokenizer.words(text);
        for (String token : Tokenizer.tokens(text)) {
            same(List.of(token), Tokenizer.tokens(token));
            Tokenizer.isRun(token);
        }
        byte[] utf8 = text.getBytes(UTF_8);
        for (Folding folding : Folding.values()) {
            var tokenizer = new Tokenizer(new WordAnalysis(folding, true, SPECIAL));
            tokenizer.set(utf8, 0, utf8.length);
            while (tokenizer.next()) {
                tokenizer.hash();
            }
        }
    }

    private static void same(Object first, Object second) {
        if (!first.equals(second)) {
            throw new AssertionError("was " + first + " and reads back as " + second);
        }
    }
}
