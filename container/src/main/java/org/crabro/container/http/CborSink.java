package org.crabro.container.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;
import tools.jackson.core.JacksonException;

/** Converts JSON, also a sequence of values, to CBOR as it is written. For one writer at a time. */
public final class CborSink implements Content.Sink {
    private final Content.Sink sink;
    private final ByteArrayOutputStream cbor = new ByteArrayOutputStream();
    private final CborTranscript transcript = new CborTranscript(cbor);

    public CborSink(Content.Sink sink) {
        this.sink = sink;
    }

    @Override
    public void write(boolean isLast, ByteBuffer json, Callback callback) {
        try {
            transcript.write(BufferUtil.toArray(json));
            if (isLast) {
                transcript.close();
            }
        } catch (IOException | JacksonException e) {
            callback.failed(e);
            return;
        }
        BufferUtil.clear(json);
        byte[] written = cbor.toByteArray();
        cbor.reset();
        sink.write(isLast, ByteBuffer.wrap(written), callback);
    }
}
