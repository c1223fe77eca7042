package org.crabro.config.schema;

/**
 * How the graph of neighbors of a vector field is built in mode {@code index}.
 *
 * @param links the links of a vector on the upper levels; twice as many on the lowest
 * @param explored the neighbors that an insert looks at
 */
public record GraphRules(int links, int explored) {
    /** The rules of a field without such settings. */
    public static final GraphRules DEFAULT = new GraphRules(16, 200);
}
