package org.crabro.document.json;

import org.crabro.document.FieldType;
import org.crabro.document.FieldValue;
import org.crabro.document.InvalidDocumentException;
import org.crabro.document.LegalText;
import org.crabro.document.json.FieldValueReader.UnfitValueException;

/** Parses keys of maps and elements of weighted sets from texts. */
final class ValueText {
    private ValueText() {}

    /** Parses a value of a type. */
    static FieldValue parse(FieldType type, String text) {
        if (!(type instanceof FieldType.Primitive primitive)) {
            throw new UnfitValueException("type " + type.text() + " cannot be used for keys");
        }
        try {
            return switch (primitive) {
                case STRING, URI, RAW, PREDICATE -> {
                    LegalText.check("the key", text);
                    yield new FieldValue.StringValue(text);
                }
                case BOOL -> new FieldValue.BoolValue(text.equalsIgnoreCase("true"));
                case BYTE -> new FieldValue.IntValue(Byte.parseByte(text));
                case INT -> new FieldValue.IntValue(Integer.parseInt(text));
                case LONG -> new FieldValue.LongValue(Long.parseLong(text));
                case FLOAT -> new FieldValue.FloatValue(Float.parseFloat(text));
                case FLOAT16 ->
                        new FieldValue.FloatValue(
                                FieldType.Primitive.nearestFloat16(Float.parseFloat(text)));
                case DOUBLE -> new FieldValue.DoubleValue(Double.parseDouble(text));
            };
        } catch (NumberFormatException e) {
            throw new UnfitValueException(
                    "expected a key of type %s but found '%s'".formatted(type.text(), text), e);
        } catch (InvalidDocumentException e) {
            throw new UnfitValueException(String.valueOf(e.getMessage()), e);
        }
    }
}
