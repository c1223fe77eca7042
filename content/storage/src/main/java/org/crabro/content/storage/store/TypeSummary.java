package org.crabro.content.storage.store;

/**
 * A file that stores a document type.
 *
 * @param file the path in the data directory
 * @param name of the type, empty if the file is incomplete
 * @param fields the number of its fields
 * @param bytes the size of the file
 * @param isWhole whether the file contains a type. An incomplete file was never used, or its rows
 *     are reported as damage
 */
public record TypeSummary(String file, String name, int fields, long bytes, boolean isWhole) {}
