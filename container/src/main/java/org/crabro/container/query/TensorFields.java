package org.crabro.container.query;

import java.util.Optional;
import org.crabro.config.schema.Schema;
import org.crabro.document.FieldType;
import org.crabro.tensor.TensorType;

/** Looks up the fields of a schema that contain tensors. */
public final class TensorFields {
    private TensorFields() {}

    /** Returns the type of the tensors in the field {@code name}; empty if it contains none. */
    public static Optional<TensorType> type(Schema schema, String name) {
        return schema.field(name)
                .map(field -> field.field().type())
                .flatMap(type ->
                        type instanceof FieldType.TensorOf(var tensor)
                                ? Optional.of(tensor)
                                : Optional.empty());
    }
}
