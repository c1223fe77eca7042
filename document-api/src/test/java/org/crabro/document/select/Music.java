package org.crabro.document.select;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldType.ArrayOf;
import org.crabro.document.FieldType.MapOf;
import org.crabro.document.FieldType.Primitive;
import org.crabro.document.FieldType.ReferenceOf;
import org.crabro.document.FieldType.StructOf;
import org.crabro.document.FieldType.WeightedSetOf;
import org.crabro.document.FieldValue;
import org.crabro.document.FieldValue.ArrayValue;
import org.crabro.document.FieldValue.BoolValue;
import org.crabro.document.FieldValue.DoubleValue;
import org.crabro.document.FieldValue.IntValue;
import org.crabro.document.FieldValue.LongValue;
import org.crabro.document.FieldValue.MapValue;
import org.crabro.document.FieldValue.StringValue;
import org.crabro.document.FieldValue.StructValue;
import org.crabro.document.FieldValue.WeightedSetValue;

/** A document with a field of each kind, and types around its own. */
final class Music {
    static final StructOf TRACK =
            new StructOf(
                    "track",
                    List.of(field("name", Primitive.STRING), field("seconds", Primitive.INT)));

    static final DocumentType TYPE =
            new DocumentType(
                    "music",
                    List.of(
                            field("title", Primitive.STRING),
                            field("artist", Primitive.STRING),
                            field("year", Primitive.INT),
                            field("expires", Primitive.LONG),
                            field("length", Primitive.DOUBLE),
                            field("live", Primitive.BOOL),
                            field("cover", Primitive.RAW),
                            field("tags", new ArrayOf(Primitive.STRING)),
                            field("ratings", new ArrayOf(Primitive.INT)),
                            field("votes", new WeightedSetOf(Primitive.STRING)),
                            field("props", new MapOf(Primitive.STRING, Primitive.STRING)),
                            field("counts", new MapOf(Primitive.INT, Primitive.INT)),
                            field("tracks", new ArrayOf(TRACK)),
                            field("discs", new MapOf(Primitive.STRING, TRACK)),
                            field("first", TRACK),
                            field("label", new ReferenceOf("label")),
                            field("note", Primitive.STRING)));

    static final SelectionTypes TYPES =
            new SelectionTypes(
                    Map.of(
                            "music",
                            TYPE,
                            "single",
                            new DocumentType("single", TYPE.fields()),
                            "book",
                            new DocumentType(
                                    "book",
                                    List.of(
                                            field("pages", Primitive.INT),
                                            field("title", Primitive.STRING)))),
                    Map.of("single", Set.of("music")),
                    Map.of("music", Set.of("label_name"), "single", Set.of("label_name")));

    static final Document DOCUMENT = document("id:ns:music:g=anna:one");

    private Music() {}

    static Document document(String id) {
        var fields = new LinkedHashMap<String, FieldValue>();
        fields.put("title", text("A fine jazz"));
        fields.put("artist", text("foobarbaz"));
        fields.put("year", new IntValue(1998));
        fields.put("expires", new LongValue(5_000));
        fields.put("length", new DoubleValue(2.5));
        fields.put("live", new BoolValue(true));
        fields.put("cover", text("AAAA"));
        fields.put("label", text("id:ns:label::blue"));
        fields.put("tags", new ArrayValue(List.of(text("rock"), text("pop"))));
        fields.put("ratings", new ArrayValue(List.of(new IntValue(3), new IntValue(5))));
        fields.put("votes", new WeightedSetValue(Map.of(text("good"), 7)));
        fields.put("props", new MapValue(Map.of(text("k"), text("v"), text("a b"), text("w"))));
        fields.put("counts", new MapValue(Map.of(new IntValue(1), new IntValue(10))));
        fields.put("tracks", new ArrayValue(List.of(track("intro", 30), track("song", 200))));
        var discs = new LinkedHashMap<FieldValue, FieldValue>();
        discs.put(text("x"), track("intro", 1));
        discs.put(text("y"), track("song", 2));
        fields.put("discs", new MapValue(discs));
        fields.put("first", track("intro", 30));
        return new Document(DocumentId.parse(id), fields);
    }

    private static FieldValue text(String text) {
        return new StringValue(text);
    }

    private static FieldValue track(String name, int seconds) {
        var fields = new LinkedHashMap<String, FieldValue>();
        fields.put("name", text(name));
        fields.put("seconds", new IntValue(seconds));
        return new StructValue(fields);
    }

    private static Field field(String name, FieldType type) {
        return new Field(name, type, true);
    }
}
