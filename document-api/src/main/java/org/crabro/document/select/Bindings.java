package org.crabro.document.select;

import org.jspecify.annotations.Nullable;

/**
 * What variables stand for: a list, the last bound first. Immutable.
 *
 * @param before those that were bound before; null for none
 */
record Bindings(String name, Value value, @Nullable Bindings before) {
    /** No variable. */
    static final Bindings NONE = new Bindings("", Value.INVALID, null);

    Bindings with(String variable, Value bound) {
        return new Bindings(variable, bound, this);
    }

    /** Returns what a variable stands for; invalid where it stands for nothing. */
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
