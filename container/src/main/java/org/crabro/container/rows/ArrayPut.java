package org.crabro.container.rows;

import org.crabro.protocol.encoding.RowAssembly;

/** Encodes arrays. */
final class ArrayPut extends ValuePut {
    private final ValuePut element;

    ArrayPut(ValuePut element, RowAssembly row) {
        super(row);
        this.element = element;
    }

    @Override
    void put(JsonBytes json) {
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
