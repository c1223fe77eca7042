package org.crabro.document.select;

import org.jspecify.annotations.Nullable;

/**
 * Bindings of variables: a list, the last binding first. Immutable.
 *
 * @param before the earlier bindings; null for none
 */
record Bindings(String name, Value value, @Nullable Bindings before) {
    /** No variable. */
    static final Bindings NONE = new Bindings("", Value.INVALID, null);

    Bindings with(String variable, Value bound) {
        return new Bindings(variable, bound, this);
    }

    /** Returns the value of a variable; invalid if it is not bound. */
    Value value(String variable) {
        for (Bindings each = this; each != null; each = each.before()) {
            if (each.name().equals(variable)) {
                return each.value();
            }
        }
        return Value.INVALID;
    }

    boolean has(String variable) {
        return !(value(variable) instanceof Value.Invalid);
    }
}
