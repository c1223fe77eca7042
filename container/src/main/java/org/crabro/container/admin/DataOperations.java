package org.crabro.container.admin;

/**
 * The operations on the data of a node that operators can request.
 *
 * @param backup makes backups
 * @param settling flushes and merges
 */
public record DataOperations(DataBackup backup, DataSettling settling) {}
