package org.crabro.container.document;

import java.util.Optional;
import java.util.OptionalLong;
import org.crabro.document.operation.WriteCondition;

/**
 * The parameters of a request that say how its operation is carried out. They win over members of
 * the body.
 *
 * @param isStrict whether only {@code true} and {@code false} are read as a bool, and an update is
 *     rejected that names a missing element
 * @param condition a selection that the stored document must match
 * @param create see {@link org.crabro.document.operation.ConditionalOperation}
 */
public record WriteParameters(
        boolean isStrict, Optional<String> condition, Optional<Boolean> create) {
    /** The parameters of a request without any. */
    public static final WriteParameters NONE =
            new WriteParameters(false, Optional.empty(), Optional.empty());

    static WriteParameters of(DocumentParameters parameters) {
        return new WriteParameters(
                parameters.flag("strict"),
                parameters.text("condition"),
                parameters.text("create").map("true"::equalsIgnoreCase));
    }

    /** Returns the condition of an operation whose body has a selection, or none. */
    public WriteCondition condition(Optional<String> ofBody) {
        return condition.isEmpty() && ofBody.isEmpty()
                ? WriteCondition.NONE
                : new WriteCondition(condition.or(() -> ofBody), OptionalLong.empty());
    }

    /** Returns whether an operation creates its document, given the member of its body. */
    public boolean create(boolean ofBody) {
        return create.orElse(ofBody);
    }
}
