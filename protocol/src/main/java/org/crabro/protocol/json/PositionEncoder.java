package org.crabro.protocol.json;

import org.crabro.document.InvalidDocumentException;
import org.crabro.document.Position;
import org.crabro.document.json.JsonScanner;
import org.crabro.protocol.encoding.RowAssembly;

/** Encodes positions: text, degrees, or millionths of degrees. */
final class PositionEncoder extends ValueEncoder {
    PositionEncoder(RowAssembly row) {
        super(row);
    }

    @Override
    void put(JsonScanner json) {
        Position position;
        try {
            position = json.isAtString() ? Position.parse(text(json)) : ofMembers(json);
        } catch (InvalidDocumentException _) {
            throw json.uncommon();
        }
        row.putShort(2);
        row.putShort(0);
        row.putLong(Double.doubleToRawLongBits(position.lat()));
        row.putShort(1);
        row.putLong(Double.doubleToRawLongBits(position.lng()));
    }

    private String text(JsonScanner json) {
        int from = row.size();
        TextEncoder.putString(json, row);
        String text = row.text(from + Integer.BYTES);
        row.forget(from);
        return text;
    }

    private static Position ofMembers(JsonScanner json) {
        double lat = Double.NaN;
        double lng = Double.NaN;
        json.expect('{');
        do {
            String member = json.text();
            json.expect(':');
            switch (member) {
                case "lat", "latitude" -> lat = json.anyDouble();
                case "lng", "longitude" -> lng = json.anyDouble();
                case "x" -> lng = micro(json);
                case "y" -> lat = micro(json);
                default -> throw json.uncommon();
            }
        } while (json.passes(','));
        json.expect('}');
        if (Double.isNaN(lat) || Double.isNaN(lng)) {
            throw json.uncommon();
        }
        return Position.ofDegrees(lat, lng);
    }

    private static double micro(JsonScanner json) {
        return json.wholeNumber(Integer.MIN_VALUE, Integer.MAX_VALUE) / 1e6;
    }
}
