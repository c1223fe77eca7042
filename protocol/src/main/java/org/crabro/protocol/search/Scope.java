package org.crabro.protocol.search;

/** Which documents of a type are searched. */
public sealed interface Scope {
    /** The documents whose id has {@code g=name}. */
    record Group(String name) implements Scope {}

    /** The documents whose id has {@code n=value}, an unsigned 64-bit number. */
    record Numbered(long value) implements Scope {}

    /** Every document of the type. */
    record Everything() implements Scope {}
}
