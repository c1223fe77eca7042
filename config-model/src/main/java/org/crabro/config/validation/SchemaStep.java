package org.crabro.config.validation;

/**
 * The steps of checking a schema, in their order. The findings of an earlier step are reported
 * first, regardless of their position in the file.
 */
public enum SchemaStep {
    /** Parsed settings without effect. */
    IGNORED,
    /** Structs, and the types of fields. */
    TYPES,
    /** That there is one document. */
    DOCUMENT,
    /** Names of fields, reserved ones among them. */
    NAMES,
    INDEX_OF_NUMBERS,
    ALIASES,
    /** The inputs of scripts. */
    INPUTS,
    MUTABLE,
    POSITION,
    DICTIONARY,
    IMPORTS,
    SUMMARIES,
    /** The settings of attributes. */
    ATTRIBUTES,
    /** The outputs of scripts. */
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
    /** Names of functions and constants, and the parents of rank profiles. */
    PROFILES,
    MODELS,
    EXPRESSIONS,
    PAGED,
    /** Types of the values in scripts. */
    SCRIPTS
}
