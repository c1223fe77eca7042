package org.crabro.container.llm;

import java.util.Optional;
import org.crabro.component.ComponentContext;

/** The data that the constructors of the server's own components read. */
public interface ModelContext extends ComponentContext {
    /** Returns the first component of a type, in the order of services.xml; empty for none. */
    <T> Optional<T> first(Class<T> type);
}
