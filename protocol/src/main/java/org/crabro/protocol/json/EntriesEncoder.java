package org.crabro.protocol.json;

import java.util.List;
import org.crabro.document.FieldType;
import org.crabro.document.json.JsonScanner;
import org.crabro.document.json.MemberNames;
import org.crabro.protocol.encoding.RowAssembly;

/**
 * Encodes weighted sets and maps. If a key occurs twice, the last value replaces the first one in
 * its place.
 */
final class EntriesEncoder extends ValueEncoder {
    private static final MemberNames NAMES = new MemberNames(List.of("key", "value"));
    private static final int KEY = 0;
    private static final int NOT_THERE = -1;

    private final ScalarEncoder key;
    private final ValueEncoder value;

    /** Whether entries may be an array of objects. */
    private final boolean mayBeArray;

    private final EncodedEntries entries;

    /** Whether the row contains the entries in order, each key before its value. */
    private boolean isInOrder;

    private EntriesEncoder(
            ScalarEncoder key, ValueEncoder value, boolean mayBeArray, RowAssembly row) {
        super(row);
        this.key = key;
        this.value = value;
        this.mayBeArray = mayBeArray;
        this.entries = new EncodedEntries(row);
    }

    /** Returns an encoder of weighted sets. */
    static EntriesEncoder weighted(ScalarEncoder element, RowAssembly row) {
        return new EntriesEncoder(
                element, new ScalarEncoder(FieldType.Primitive.INT, row), false, row);
    }

    /** Returns an encoder of maps. */
    static EntriesEncoder map(ScalarEncoder key, ValueEncoder value, RowAssembly row) {
        return new EntriesEncoder(key, value, true, row);
    }

    @Override
    void put(JsonScanner json) {
        entries.clear();
        isInOrder = true;
        int place = row.putCount();
        int begin = row.size();
        if (mayBeArray && json.passes('[')) {
            if (!json.passes(']')) {
                do {
                    putEntry(json);
                } while (json.passes(','));
                json.expect(']');
            }
        } else {
            json.expect('{');
            if (!json.passes('}')) {
                do {
                    putMember(json);
                } while (json.passes(','));
                json.expect('}');
            }
        }
        row.setCount(place, entries.count());
        if (!isInOrder) {
            putInOrder(begin);
        }
        entries.clear();
    }

    private void putMember(JsonScanner json) {
        int keyFrom = row.size();
        key.putKey(json);
        int keyTo = row.size();
        json.expect(':');
        value.put(json);
        add(keyFrom, keyTo, keyTo, row.size());
    }

    /**
     * Puts an entry, whose members may be in any order. If a member occurs twice, the last counts.
     */
    private void putEntry(JsonScanner json) {
        int begin = row.size();
        int keyFrom = NOT_THERE;
        int keyTo = NOT_THERE;
        int valueFrom = NOT_THERE;
        int valueTo = NOT_THERE;
        json.expect('{');
        do {
            int member = NAMES.index(json, KEY);
            json.expect(':');
            if (member == KEY) {
                keyFrom = row.size();
                key.put(json);
                keyTo = row.size();
            } else {
                valueFrom = row.size();
                value.put(json);
                valueTo = row.size();
            }
        } while (json.passes(','));
        json.expect('}');
        if (keyFrom == NOT_THERE || valueFrom == NOT_THERE) {
            throw json.uncommon();
        }
        isInOrder &= keyFrom == begin && valueFrom == keyTo && valueTo == row.size();
        add(keyFrom, keyTo, valueFrom, valueTo);
    }

    private void add(int keyFrom, int keyTo, int valueFrom, int valueTo) {
        int index = entries.find(keyFrom, keyTo);
        if (index < 0) {
            index = entries.add(keyFrom, keyTo);
        } else {
            isInOrder = false;
        }
        entries.setValue(index, valueFrom, valueTo);
    }

    private void putInOrder(int begin) {
        byte[] parts = row.take(begin);
        for (int i = 0; i < entries.count(); i++) {
            put(parts, begin, entries.keyFrom(i), entries.keyTo(i));
            put(parts, begin, entries.valueFrom(i), entries.valueTo(i));
        }
    }

    private void put(byte[] parts, int begin, int from, int to) {
        row.putBytes(parts, from - begin, to - from);
    }
}
