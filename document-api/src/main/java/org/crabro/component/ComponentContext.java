package org.crabro.component;

import java.nio.file.Path;
import java.util.Optional;

/**
 * The data that a constructor of a component can read. Valid during the constructor only. For one
 * thread.
 */
public interface ComponentContext {
    /** Returns the id of the component in services.xml. */
    String id();

    /**
     * Returns the values of {@code <config name="...">}. Values next to the component have
     * precedence over those of its chain, its cluster and all services, in this order.
     *
     * @param name with its namespace
     * @return empty if services.xml has no such config
     */
    Config config(String name);

    /**
     * Returns another component of the same cluster. It is created first if necessary.
     *
     * @throws IllegalArgumentException if no component has this id, it is not of that type, or its
     *     constructor depends, directly or not, on the component of this context
     */
    <T> T component(String id, Class<T> type);

    /**
     * Returns the path of a file of the package, which can be read until the component is closed.
     *
     * @param path from the root of the package, such as {@code files/words.txt}
     */
    Optional<Path> file(String path);

    /**
     * Returns the models of the package, if the cluster has {@code <model-evaluation/>}; otherwise
     * it has none. It can be used until the component is closed.
     */
    ModelsEvaluator models();
}
