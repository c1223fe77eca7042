package org.crabro.container.llm;

import java.util.Optional;
import org.crabro.component.QueryError;

/** A step of a call. */
public sealed interface ModelEvent {
    /** A part of the text was generated. */
    record Part(String text) implements ModelEvent {}

    /**
     * The text has ended.
     *
     * @param reason why it ends, as the model says: {@code stop}, {@code length} and others
     */
    record Complete(Optional<String> reason) implements ModelEvent {}

    /** The call has failed. Nothing follows. */
    record Failed(QueryError error) implements ModelEvent {}
}
