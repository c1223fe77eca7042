package org.crabro.config.parser;

/** A word of a file with its place. */
public record Name(SourcePosition at, String text) {}
