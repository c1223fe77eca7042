package org.crabro.container.rows;

import org.crabro.document.FieldType;
import org.crabro.protocol.encoding.RowAssembly;

/**
 * Encodes values of one type, straight from their JSON into a row. What is written in an uncommon
 * form, or is wrong, is left to whoever reads all that there may be. For one thread; what it puts
 * aside while it reads one value is used again for the next.
 */
abstract class ValueEncoder {
    final RowAssembly row;

    ValueEncoder(RowAssembly row) {
        this.row = row;
    }

    /** Returns what encodes values of a type. */
    static ValueEncoder of(FieldType type, RowAssembly row) {
        return switch (type) {
            case FieldType.Primitive primitive -> new ScalarEncoder(primitive, row);
            case FieldType.ReferenceOf reference -> new ReferenceEncoder(reference, row);
            case FieldType.ArrayOf(var element) -> new ArrayEncoder(of(element, row), row);
            case FieldType.WeightedSetOf(FieldType.Primitive element) ->
                    EntriesEncoder.weighted(new ScalarEncoder(element, row), row);
            case FieldType.MapOf(FieldType.Primitive key, var value) ->
                    EntriesEncoder.map(new ScalarEncoder(key, row), of(value, row), row);
            case FieldType.StructOf struct ->
                    struct.equals(FieldType.StructOf.POSITION)
                            ? new PositionEncoder(row)
                            : new StructEncoder(struct, row);
            case FieldType.TensorOf(var tensor) ->
                    tensor.isDense()
                            ? new DenseTensorEncoder(tensor, row)
                            : new MixedTensorEncoder(tensor, row);
            // There are no fields of such types.
            case FieldType.WeightedSetOf _, FieldType.MapOf _ -> new NeverPut(row);
        };
    }

    /**
     * Puts the value that stands here.
     *
     * @throws JsonScanner.UncommonFormException where it has not one of the common forms
     */
    abstract void put(JsonScanner json);

    /** Of types whose values nobody can write. */
    private static final class NeverPut extends ValueEncoder {
        NeverPut(RowAssembly row) {
            super(row);
        }

        @Override
        void put(JsonScanner json) {
            throw json.uncommon();
        }
    }
}
