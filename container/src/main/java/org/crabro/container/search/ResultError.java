package org.crabro.container.search;

/**
 * Something that went wrong while a query was answered.
 *
 * @param source the content cluster; empty where it was none's fault
 * @param message for the client
 */
public record ResultError(ErrorCode code, String source, String message) {}
