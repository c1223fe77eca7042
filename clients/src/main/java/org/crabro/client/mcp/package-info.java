/**
 * The command {@code crabro mcp}: the Model Context Protocol over standard input and output, for
 * assistants and editors that start a program.
 *
 * <p>Start reading at {@link org.crabro.client.mcp.McpCommand}, then {@link
 * org.crabro.client.mcp.McpBridge}.
 *
 * <p>This package knows no tools: a server has them, at {@code /mcp}.
 */
@NullMarked
package org.crabro.client.mcp;

import org.jspecify.annotations.NullMarked;
