package org.crabro.container.admin;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.OptionalLong;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.util.Fields;
import org.jspecify.annotations.Nullable;

/** Returns the last log lines of the process. */
final class LogEndpoint {
    private final LogRing ring;

    LogEndpoint(LogRing ring) {
        this.ring = ring;
    }

    void handle(AdminExchange exchange) {
        if (!exchange.allows(HttpMethod.GET)) {
            return;
        }
        Fields parameters = exchange.parameters();
        OptionalLong from = millis(parameters.getValue("from"), 0);
        OptionalLong to = millis(parameters.getValue("to"), Long.MAX_VALUE);
        if (from.isEmpty() || to.isEmpty()) {
            exchange.fail(
                    AdminError.BAD_REQUEST,
                    "from and to: expected milliseconds since 1970, such as 1767225600000");
            return;
        }
        @Nullable String hosts = parameters.getValue("hosts");
        boolean isAsked = hosts == null || List.of(hosts.split(",")).contains(ring.host());
        byte[] text =
                (isAsked ? ring.text(from.getAsLong(), to.getAsLong()) : "")
                        .getBytes(StandardCharsets.UTF_8);
        exchange.response().setStatus(HttpStatus.OK_200);
        var headers = exchange.response().getHeaders();
        headers.put(HttpHeader.CONTENT_TYPE, "text/plain; charset=UTF-8");
        headers.put(HttpHeader.CONTENT_LENGTH, text.length);
        exchange.response().write(true, ByteBuffer.wrap(text), exchange.callback());
    }

    private static OptionalLong millis(@Nullable String given, long otherwise) {
        if (given == null) {
            return OptionalLong.of(otherwise);
        }
        return given.matches("[0-9]{1,18}")
                ? OptionalLong.of(Long.parseLong(given))
                : OptionalLong.empty();
    }
}
