package org.crabro.container.document;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.crabro.container.document.ServedTypes.ServedType;
import org.crabro.protocol.json.RowEncoder;

/** The row encoder of each document type that is stored as it is fed. For one thread. */
public final class RowEncoders {
    /** Empty for types whose documents are changed before they are stored. */
    private final Map<String, Optional<RowEncoder>> puts = new HashMap<>();

    /** Returns the encoder of a type; empty if its documents are changed before they are stored. */
    public Optional<RowEncoder> put(ServedType type) {
        return puts.computeIfAbsent(
                type.schema().documentType().name(),
                _ ->
                        isPlain(type)
                                ? Optional.of(
                                        new RowEncoder(
                                                type.schema().documentType(),
                                                type.reader().ignoresUndefinedFields()))
                                : Optional.empty());
    }

    /** Returns whether all documents of a type are stored as they are fed. */
    private static boolean isPlain(ServedType type) {
        // Processors of the application take operations, not bytes.
        return type.chain().isEmpty() && type.processor().storesAsFed();
    }

    /** Returns whether all documents of a type are stored as they are fed. */
    static boolean isPlain(String documentType, ServedTypes types) {
        return types.refusal(documentType).isEmpty() && isPlain(types.get(documentType));
    }
}
