package org.crabro.container.http;

import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Handles each request on a virtual thread, as the server does. */
public final class OnVirtualThreads extends Handler.Wrapper {
    public OnVirtualThreads(Handler handler) {
        super(handler);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        Thread.ofVirtual()
                .start(() -> {
                    try {
                        super.handle(request, response, callback);
                    } catch (Exception e) {
                        callback.failed(e);
                    }
                });
        return true;
    }
}
