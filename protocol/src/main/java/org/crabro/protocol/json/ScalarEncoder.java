package org.crabro.protocol.json;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Base64;
import org.crabro.document.FieldType;
import org.crabro.document.json.JsonScanner;
import org.crabro.document.predicate.PredicateReader;
import org.crabro.protocol.encoding.RowAssembly;

/** Encodes texts, numbers and bools, also as keys of maps. */
final class ScalarEncoder extends ValueEncoder {
    private final FieldType.Primitive type;

    ScalarEncoder(FieldType.Primitive type, RowAssembly row) {
        super(row);
        this.type = type;
    }

    @Override
    void put(JsonScanner json) {
        switch (type) {
            case STRING -> TextEncoder.putText(json, row);
            case PREDICATE -> {
                int from = row.size();
                TextEncoder.putText(json, row);
                checkPredicate(json, from);
            }
            case URI -> {
                int from = row.size();
                TextEncoder.putText(json, row);
                checkUri(json, from);
            }
            case RAW -> {
                int from = row.size();
                TextEncoder.putText(json, row);
                normalizeBytes(json, from);
            }
            case BOOL -> row.putByte(json.truth() ? 1 : 0);
            case BYTE -> row.putInt((int) json.wholeNumber(Byte.MIN_VALUE, Byte.MAX_VALUE));
            case INT -> row.putInt((int) json.wholeNumber(Integer.MIN_VALUE, Integer.MAX_VALUE));
            case LONG -> row.putLong(json.wholeNumber(Long.MIN_VALUE, Long.MAX_VALUE));
            case FLOAT -> putFloat(json.anyFloat());
            case FLOAT16 -> putFloat(FieldType.Primitive.nearestFloat16(json.anyFloat()));
            case DOUBLE -> row.putLong(Double.doubleToRawLongBits(json.anyDouble()));
        }
    }

    /** Puts the name of a member as a value. */
    void putKey(JsonScanner json) {
        if (!json.isAtString()) {
            throw json.uncommon();
        }
        int from = json.at();
        // A string with the text of the value is accepted.
        put(json);
        json.checkName(from);
    }

    private void putFloat(float value) {
        row.putInt(Float.floatToRawIntBits(value));
    }

    private void checkUri(JsonScanner json, int from) {
        try {
            new URI(row.text(from + Integer.BYTES));
        } catch (URISyntaxException _) {
            throw json.uncommon();
        }
    }

    private void checkPredicate(JsonScanner json, int from) {
        if (PredicateReader.problem(row.text(from + Integer.BYTES)).isPresent()) {
            throw json.uncommon();
        }
    }

    /** Characters that are no base64 digits are skipped, line ends for example. */
    private void normalizeBytes(JsonScanner json, int from) {
        byte[] digits = row.take(from + Integer.BYTES);
        byte[] normal;
        try {
            normal = Base64.getEncoder().encode(Base64.getMimeDecoder().decode(digits));
        } catch (IllegalArgumentException _) {
            throw json.uncommon();
        }
        row.setCount(from, normal.length);
        row.putBytes(normal, 0, normal.length);
    }
}
