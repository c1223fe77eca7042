package org.crabro.container.llm;

import org.crabro.component.QueryError;

/** A step of a call. */
public sealed interface ModelEvent {
    /** A part of the text was generated. */
    record Part(String text) implements ModelEvent {}

    /** The text is complete. */
    record Complete() implements ModelEvent {}

    /** The call has failed. Nothing follows. */
    record Failed(QueryError error) implements ModelEvent {}
}
