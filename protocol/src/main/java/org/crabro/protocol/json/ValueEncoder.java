package org.crabro.protocol.json;

import org.crabro.document.FieldType;
import org.crabro.document.json.JsonScanner;
import org.crabro.protocol.encoding.RowAssembly;

/**
 * Encodes values of one field type, straight from their JSON into a row. A value with an error or
 * an uncommon form ends in an {@link JsonScanner.UncommonFormException}. For one thread; buffers
 * are reused for the next value.
 */
abstract class ValueEncoder {
    final RowAssembly row;

    ValueEncoder(RowAssembly row) {
        this.row = row;
    }

    /** Returns the encoder of a type. */
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
            // No field has such a type.
            case FieldType.WeightedSetOf _, FieldType.MapOf _ -> new NeverPut(row);
        };
    }

    /**
     * Puts the next value.
     *
     * @throws JsonScanner.UncommonFormException if it has no common form
     */
    abstract void put(JsonScanner json);

    /** The encoder of types whose values cannot be written. */
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
