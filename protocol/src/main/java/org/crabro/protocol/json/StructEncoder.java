package org.crabro.protocol.json;

import java.util.Arrays;
import java.util.List;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.json.JsonScanner;
import org.crabro.document.json.MemberNames;
import org.crabro.protocol.encoding.RowAssembly;

/**
 * Encodes structs. Members may be in any order; the row contains them in the order of the type. If
 * a member occurs twice, the last one counts. A member that is null is not set.
 */
final class StructEncoder extends ValueEncoder {
    private static final int NOT_SET = -1;

    private final MemberNames names;
    private final ValueEncoder[] members;

    /** The offsets at which the bytes of each member start, index included, and end. */
    private final int[] starts;

    private final int[] ends;

    StructEncoder(FieldType.StructOf type, RowAssembly row) {
        super(row);
        List<Field> fields = type.fields();
        this.names = new MemberNames(fields.stream().map(Field::name).toList());
        this.members =
                fields.stream()
                        .map(field -> ValueEncoder.of(field.type(), row))
                        .toArray(ValueEncoder[]::new);
        this.starts = new int[members.length];
        this.ends = new int[members.length];
    }

    @Override
    void put(JsonScanner json) {
        Arrays.fill(starts, NOT_SET);
        int place = row.size();
        row.putShort(0);
        int begin = row.size();
        int set = 0;
        int last = NOT_SET;
        boolean isInOrder = true;
        json.expect('{');
        if (!json.passes('}')) {
            int guess = 0;
            do {
                int index = names.index(json, guess);
                guess = index + 1;
                json.expect(':');
                if (starts[index] != NOT_SET) {
                    starts[index] = NOT_SET;
                    set--;
                    isInOrder = false;
                }
                if (!json.passesNull()) {
                    isInOrder &= index > last;
                    starts[index] = row.size();
                    row.putShort(index);
                    members[index].put(json);
                    ends[index] = row.size();
                    last = index;
                    set++;
                }
            } while (json.passes(','));
            json.expect('}');
        }
        row.setShort(place, set);
        if (!isInOrder) {
            putInOrder(begin);
        }
    }

    private void putInOrder(int begin) {
        byte[] parts = row.take(begin);
        for (int i = 0; i < starts.length; i++) {
            if (starts[i] != NOT_SET) {
                row.putBytes(parts, starts[i] - begin, ends[i] - starts[i]);
            }
        }
    }
}
