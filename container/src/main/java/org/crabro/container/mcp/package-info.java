/**
 * Offers search, documents and schemas as tools to language models, by the Model Context Protocol.
 * A tool calls the endpoints of the server inside the process, so that the permissions, groups and
 * limits of its caller hold.
 *
 * <p>Start reading at {@link org.crabro.container.mcp.McpHandler}, then {@link
 * org.crabro.container.mcp.ServerTools}.
 *
 * <p>This package does not know how queries and documents are read.
 */
@NullMarked
package org.crabro.container.mcp;

import org.jspecify.annotations.NullMarked;
