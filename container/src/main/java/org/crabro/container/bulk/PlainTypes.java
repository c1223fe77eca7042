package org.crabro.container.bulk;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.crabro.container.document.KeptDocuments;
import org.crabro.container.document.ServedTypes;
import org.crabro.container.document.ServedTypes.ServedType;

/**
 * What encodes the puts of each type whose documents are stored as they are fed, whatever is in
 * them. For one thread.
 */
final class PlainTypes {
    private final KeptDocuments kept;

    /** Nothing for types whose documents are looked at or changed before they are stored. */
    private final Map<String, Optional<PlainPut>> puts = new HashMap<>();

    /**
     * @param kept documents that it looks at are not read here
     */
    PlainTypes(KeptDocuments kept) {
        this.kept = kept;
    }

    /** Returns what encodes puts of a type. */
    Optional<PlainPut> put(ServedType type) {
        return puts.computeIfAbsent(
                type.schema().documentType().name(),
                _ ->
                        isPlain(type, kept)
                                ? Optional.of(
                                        new PlainPut(
                                                type.schema().documentType(),
                                                type.reader().ignoresUndefinedFields()))
                                : Optional.empty());
    }

    /** Returns whether documents of a type are stored as they are fed, whatever is in them. */
    static boolean isPlain(ServedType type, KeptDocuments kept) {
        // Processors of the application take operations, not bytes.
        return type.chain().isEmpty()
                && type.processor().storesAsFed()
                && !kept.selects(type.schema().documentType().name());
    }

    /** Returns whether documents of a type are stored as they are fed, whatever is in them. */
    static boolean isPlain(String documentType, ServedTypes types, KeptDocuments kept) {
        return types.refusal(documentType).isEmpty() && isPlain(types.get(documentType), kept);
    }
}
