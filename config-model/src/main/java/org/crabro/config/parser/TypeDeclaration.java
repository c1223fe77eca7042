package org.crabro.config.parser;

import java.util.List;
import java.util.Optional;
import org.crabro.tensor.TensorType;

/**
 * The type of a field as written, such as {@code array<string>}.
 *
 * @param name {@code array}, {@code tensor}, {@code string} or any other name
 * @param arguments the types in angle brackets; empty for a tensor
 * @param tensor present if the name is {@code tensor}
 */
public record TypeDeclaration(
        SourcePosition at,
        String name,
        List<TypeDeclaration> arguments,
        Optional<TensorType> tensor) {
    public TypeDeclaration {
        arguments = List.copyOf(arguments);
    }

    /** Returns whether {@code other} is written with the same names and dimensions. */
    public boolean isWrittenAs(TypeDeclaration other) {
        boolean isEqual =
                name.equals(other.name)
                        && tensor.equals(other.tensor)
                        && arguments.size() == other.arguments.size();
        for (int i = 0; isEqual && i < arguments.size(); i++) {
            isEqual = arguments.get(i).isWrittenAs(other.arguments.get(i));
        }
        return isEqual;
    }
}
