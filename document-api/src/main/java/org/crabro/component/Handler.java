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
 * <p>Called by many threads at once, each a virtual thread that may block; a request is answered
 * when the method returns. What it throws before anything of its body was sent is answered with 500
 * and a message that names the handler; later the connection is broken off, so that no half answer
 * looks whole.
 */
public interface Handler extends Component {
    /**
     * Answers a request. The default is status 200 without a body.
     *
     * @throws IOException if the body cannot be read or written: the client is gone
     */
    void handle(HttpRequest request, HttpResponse response) throws IOException;
}
