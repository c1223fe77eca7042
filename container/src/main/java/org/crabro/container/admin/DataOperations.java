package org.crabro.container.admin;

/**
 * What operators can ask of the data of a node.
 *
 * @param backup makes backups
 * @param settling flushes and merges
 */
public record DataOperations(DataBackup backup, DataSettling settling) {}
