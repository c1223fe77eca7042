package org.crabro.container.llm;

import java.util.Optional;
import org.crabro.component.ComponentContext;
import org.crabro.component.LanguageModel;

/** The data that the constructors of the server's own components read. */
public interface ModelContext extends ComponentContext {
    /** Returns the first language model of the cluster, in the order of services.xml. */
    Optional<NamedModel> firstModel();

    /**
     * Returns the language model with an id.
     *
     * @throws IllegalArgumentException if there is none
     */
    default NamedModel model(String id) {
        return new NamedModel(id, component(id, LanguageModel.class));
    }
}
