package org.crabro.container.rows;

import org.crabro.document.FieldType;
import org.crabro.protocol.encoding.RowAssembly;

/**
 * Encodes values of one type, straight from their JSON into a row. What is written in an uncommon
 * form, or is wrong, is left to whoever reads all that there may be. For one thread; what it puts
 * aside while it reads one value is used again for the next.
 */
abstract class ValuePut {
    final RowAssembly row;

    ValuePut(RowAssembly row) {
        this.row = row;
    }

    /** Returns what encodes values of a type. */
    static ValuePut of(FieldType type, RowAssembly row) {
        return switch (type) {
            case FieldType.Primitive primitive -> new ScalarPut(primitive, row);
            case FieldType.ReferenceOf reference -> new ReferencePut(reference, row);
            case FieldType.ArrayOf(var element) -> new ArrayPut(of(element, row), row);
            case FieldType.WeightedSetOf(FieldType.Primitive element) ->
                    EntriesPut.weighted(new ScalarPut(element, row), row);
            case FieldType.MapOf(FieldType.Primitive key, var value) ->
                    EntriesPut.map(new ScalarPut(key, row), of(value, row), row);
            case FieldType.StructOf struct ->
                    struct.equals(FieldType.StructOf.POSITION)
                            ? new PositionPut(row)
                            : new StructPut(struct, row);
            case FieldType.TensorOf(var tensor) ->
                    tensor.isDense()
                            ? new DenseTensorPut(tensor, row)
                            : new MixedTensorPut(tensor, row);
            // There are no fields of such types.
            case FieldType.WeightedSetOf _, FieldType.MapOf _ -> new NeverPut(row);
        };
    }

    /**
     * Puts the value that stands here.
     *
     * @throws JsonBytes.UncommonFormException where it has not one of the common forms
     */
    abstract void put(JsonBytes json);

    /** Of types whose values nobody can write. */
    private static final class NeverPut extends ValuePut {
        NeverPut(RowAssembly row) {
            super(row);
        }

        @Override
        void put(JsonBytes json) {
            throw json.uncommon();
        }
    }
}
