package org.crabro.container.bulk;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.crabro.container.document.DocumentParameters;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/**
 * A compressed body. The count of available bytes is unknown before decompression, so reads wait
 * until a piece is full.
 */
final class GzipBody implements BodySource {
    private static final int BUFFER_SIZE = 64 << 10;

    private final InputStream compressed;
    private @Nullable GZIPInputStream in;

    GzipBody(InputStream compressed) {
        this.compressed = compressed;
    }

    /** Returns whether the body of a request is compressed. */
    static boolean isGzip(Request request) {
        String encoding = request.getHeaders().get(HttpHeader.CONTENT_ENCODING);
        if (encoding == null || encoding.equalsIgnoreCase("identity")) {
            return false;
        }
        if (encoding.equalsIgnoreCase("gzip")) {
            return true;
        }
        throw DocumentParameters.invalid(
                "the content encoding '" + encoding + "' is not known, only gzip");
    }

    @Override
    public int read(byte[] into, int offset, int length, boolean waits) throws IOException {
        try {
            GZIPInputStream open = in;
            if (open == null) {
                open = new GZIPInputStream(compressed, BUFFER_SIZE);
                in = open;
            }
            return open.read(into, offset, length);
        } catch (EofException e) {
            throw e;
        } catch (ZipException | EOFException e) {
            throw DocumentParameters.invalid(
                    "the body is not compressed with gzip, as its content encoding declares: "
                            + e.getMessage());
        }
    }
}
