package org.crabro.component;

import java.nio.file.Path;
import java.util.Optional;

/**
 * What a constructor of a component can read. Valid during the constructor only. For one thread.
 */
public interface ComponentContext {
    /** Returns the id that services.xml gives it. */
    String id();

    /**
     * Returns the values of {@code <config name="...">}: those next to the component, over those of
     * its chain, its cluster and all services.
     *
     * @param name with its namespace
     * @return empty where services.xml has no such config
     */
    Config config(String name);

    /**
     * Returns another component of the same cluster, which is made before where it is not yet.
     *
     * @throws IllegalArgumentException if there is none of this id, it is not of that type, or it
     *     takes, directly or not, the one that asks
     */
    <T> T component(String id, Class<T> type);

    /**
     * Returns the path of a file of the package, which can be read until the component is closed.
     *
     * @param path from the root of the package, such as {@code files/words.txt}
     */
    Optional<Path> file(String path);
}
