package org.crabro.protocol.json;

import org.crabro.document.json.JsonScanner;
import org.crabro.protocol.encoding.RowAssembly;

/** Encodes arrays. */
final class ArrayEncoder extends ValueEncoder {
    private final ValueEncoder element;

    ArrayEncoder(ValueEncoder element, RowAssembly row) {
        super(row);
        this.element = element;
    }

    @Override
    void put(JsonScanner json) {
        json.expect('[');
        int place = row.putCount();
        int count = 0;
        if (!json.passes(']')) {
            do {
                element.put(json);
                count++;
            } while (json.passes(','));
            json.expect(']');
        }
        row.setCount(place, count);
    }
}
