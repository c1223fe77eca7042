package org.crabro.container.http;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.RequestLog;
import org.eclipse.jetty.server.Response;
import org.jspecify.annotations.Nullable;

/**
 * Writes a line for each request to the logger {@code access}: time in ms since the epoch, remote
 * address, method, path, protocol, status, bytes sent, milliseconds taken, user agent. It contains
 * neither queries nor documents, which are private.
 *
 * <p>Text of the client (method, path, user agent) is escaped: all but printable ASCII, and also
 * quotes, backslashes and, outside quotes, spaces, as {@code \xHH}, a byte of UTF-8 each. Values
 * that are too long are cut and end with {@code ...}.
 *
 * <p>Writes to java.util.logging directly: the bridge of SLF4J walks the stack for the caller of
 * each line, which took 5 % of the processor time of a small query.
 */
public final class AccessLog implements RequestLog {
    /** Characters of a method, before they are escaped. */
    static final int METHOD_CHARS_MAX = 32;

    /** Characters of a path, before they are escaped. */
    static final int PATH_CHARS_MAX = 1024;

    /** Characters of a user agent, before they are escaped. */
    static final int AGENT_CHARS_MAX = 256;

    private static final Logger LOG = Logger.getLogger("access");
    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    private final boolean isWritten;

    /** Makes a log that is written. */
    public AccessLog() {
        this(true);
    }

    /**
     * @param isWritten whether lines are written; otherwise they are only made
     */
    public AccessLog(boolean isWritten) {
        this.isWritten = isWritten;
    }

    @Override
    public void log(Request request, Response response) {
        if (LOG.isLoggable(Level.INFO)) {
            var line = new LogRecord(Level.INFO, line(request, response));
            line.setLoggerName(LOG.getName());
            if (isWritten) {
                LOG.log(line);
            }
        }
    }

    private static String line(Request request, Response response) {
        var line = new StringBuilder(160);
        line.append(Request.getTimeStamp(request))
                .append(' ')
                .append(Request.getRemoteAddr(request))
                .append(' ');
        escape(request.getMethod(), METHOD_CHARS_MAX, ' ', line);
        line.append(' ');
        escape(request.getHttpURI().getPath(), PATH_CHARS_MAX, ' ', line);
        line.append(' ')
                .append(request.getConnectionMetaData().getProtocol())
                .append(' ')
                .append(response.getStatus())
                .append(' ')
                .append(Response.getContentBytesWritten(response))
                .append(' ')
                .append((System.nanoTime() - request.getBeginNanoTime()) / 1_000_000)
                .append(" \"");
        escape(request.getHeaders().get("User-Agent"), AGENT_CHARS_MAX, '"', line);
        return line.append('"').toString();
    }

    /**
     * Appends {@code text}, escaped so that it cannot end its field or its line; {@code -} for
     * none.
     *
     * @param end the character that ends the field
     */
    static void escape(@Nullable String text, int charsMax, char end, StringBuilder into) {
        if (text == null) {
            into.append('-');
            return;
        }
        int length = Math.min(text.length(), charsMax);
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            if (c >= ' ' && c < 0x7f && c != '"' && c != '\\' && c != end) {
                into.append(c);
            } else {
                int end16 = Character.isHighSurrogate(c) && i + 1 < length ? i + 2 : i + 1;
                for (byte each : text.substring(i, end16).getBytes(StandardCharsets.UTF_8)) {
                    into.append("\\x").append(HEX.toHexDigits(each));
                }
                i = end16 - 1;
            }
        }
        if (length < text.length()) {
            into.append("...");
        }
    }
}
