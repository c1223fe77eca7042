package org.crabro.document.json;

/** The names of the members of tensors in JSON. */
public final class TensorMembers {
    public static final String TYPE = "type";

    /** The cells of a dense tensor or of a block, in standard order. */
    public static final String VALUES = "values";

    /** Cells with their addresses or labels. */
    public static final String CELLS = "cells";

    /** Dense subspaces with their addresses or labels. */
    public static final String BLOCKS = "blocks";

    public static final String ADDRESS = "address";

    /** The value of one cell. */
    public static final String VALUE = "value";

    private TensorMembers() {}
}
