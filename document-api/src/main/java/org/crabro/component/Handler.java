package org.crabro.component;

import java.io.IOException;

/**
 * A component that answers requests at the addresses that services.xml binds it to.
 *
 * {@snippet :
 * public final class Hello implements Handler {
 *     @Override
 *     public void handle(HttpRequest request, HttpResponse response) throws IOException {
 *         response.header("Content-Type", "text/plain; charset=utf-8");
 *         response.body().write("hello\n".getBytes(StandardCharsets.UTF_8));
 *     }
 * }
 * }
 *
 * <p>Called by many threads at once, each a virtual thread that may block. The response is complete
 * when the method returns. If it throws an exception before a part of the body was sent, the
 * response is status 500 with a message that names the handler. If it throws later, the connection
 * is closed, so that the client detects the incomplete response.
 */
public interface Handler extends Component {
    /**
     * Answers a request. The default is status 200 without a body.
     *
     * @throws IOException if the body cannot be read or written, because the client has
     *     disconnected
     */
    void handle(HttpRequest request, HttpResponse response) throws IOException;
}
