package org.crabro.container.mcp;

import io.modelcontextprotocol.server.McpStatelessServerHandler;
import io.modelcontextprotocol.spec.McpStatelessServerTransport;
import io.modelcontextprotocol.spec.ProtocolVersions;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** Connects the server of the protocol's library with a handler of HTTP. */
final class HandlerTransport implements McpStatelessServerTransport {
    private volatile @Nullable McpStatelessServerHandler handler;

    @Override
    public void setMcpHandler(McpStatelessServerHandler mcpHandler) {
        handler = mcpHandler;
    }

    /** Returns the handler of messages. */
    McpStatelessServerHandler handler() {
        McpStatelessServerHandler current = handler;
        if (current == null) {
            throw new IllegalStateException("no server was built for this transport");
        }
        return current;
    }

    @Override
    public Mono<Void> closeGracefully() {
        return Mono.empty();
    }

    @Override
    public List<String> protocolVersions() {
        return List.of(
                ProtocolVersions.MCP_2025_03_26,
                ProtocolVersions.MCP_2025_06_18,
                ProtocolVersions.MCP_2025_11_25);
    }
}
