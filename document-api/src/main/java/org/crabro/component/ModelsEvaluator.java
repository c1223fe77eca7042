package org.crabro.component;

import java.util.SortedSet;

/** The models of a package, by name. Safe for use by many threads. */
public interface ModelsEvaluator {
    /** Returns the names of the models. */
    SortedSet<String> models();

    /**
     * Returns an evaluator of a function of a model.
     *
     * @param names the parts of the name of the function, such as {@code default} and the name of
     *     an output; none for the only function of the model
     * @throws IllegalArgumentException if there is no such model or function, or several functions
     *     have that name
     */
    FunctionEvaluator evaluatorOf(String model, String... names);
}
