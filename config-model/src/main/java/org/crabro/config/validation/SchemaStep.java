package org.crabro.config.validation;

/**
 * The steps of checking a schema, in their order: what an earlier one finds is told first, wherever
 * it stands in the file.
 */
public enum SchemaStep {
    /** What was read and changes nothing. */
    IGNORED,
    /** Structs, and the types of fields. */
    TYPES,
    /** That there is one document. */
    DOCUMENT,
    /** Names of fields, reserved ones among them. */
    NAMES,
    INDEX_OF_NUMBERS,
    ALIASES,
    /** What scripts read. */
    INPUTS,
    MUTABLE,
    POSITION,
    DICTIONARY,
    IMPORTS,
    SUMMARIES,
    /** What is set of attributes. */
    ATTRIBUTES,
    /** What scripts write. */
    OUTPUTS,
    GRAM,
    MATCH,
    FIELD_TYPES,
    FIELDSETS,
    MATCH_PHASE,
    DIVERSITY,
    TENSORS,
    /** Inputs of ranking that query profile types declare. */
    RANK_INPUTS,
    REFERENCES,
    /** Names of functions and constants, and what rank profiles inherit. */
    PROFILES,
    MODELS,
    EXPRESSIONS,
    PAGED,
    /** Types of the values in scripts. */
    SCRIPTS
}
