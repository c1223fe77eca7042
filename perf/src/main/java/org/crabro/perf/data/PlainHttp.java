package org.crabro.perf.data;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.crabro.server.warmup.LoopbackClient;

/**
 * Sends requests on the calling thread, over as many connections as threads use at once. With
 * {@code HttpURLConnection} a server that answers in 0.1 ms takes a sixth longer.
 */
public final class PlainHttp {
    private static final Duration WAIT = Duration.ofMinutes(2);

    /** The clients that no thread uses, by address. */
    private static final Map<String, Deque<LoopbackClient>> UNUSED = new ConcurrentHashMap<>();

    private PlainHttp() {}

    /** Makes a request. */
    private interface Asked {
        LoopbackClient.Request by(LoopbackClient client, String path);
    }

    /**
     * Returns the answer to a GET.
     *
     * @throws IOException if the status is not 200; the message contains the answer
     */
    public static String get(URI address) throws IOException {
        return answered(ask(address, LoopbackClient::get));
    }

    /**
     * Sends a POST and reads the answer.
     *
     * @throws IOException if the status is not 200; the message contains the answer
     */
    public static void post(URI address, String contentType, byte[] body) throws IOException {
        String _ = answered(ask(address, (client, path) -> client.post(path, contentType, body)));
    }

    /** Returns the answer to a GET, whatever its status is. */
    public static String getAny(URI address) throws IOException {
        return ask(address, LoopbackClient::get).body();
    }

    /** Returns the answer to a POST, whatever its status is. */
    public static String postAny(URI address, String contentType, byte[] body) throws IOException {
        return ask(address, (client, path) -> client.post(path, contentType, body)).body();
    }

    private static String answered(LoopbackClient.Reply reply) throws IOException {
        if (reply.status() != 200) {
            throw new IOException(reply.status() + " " + reply.body());
        }
        return reply.body();
    }

    private static LoopbackClient.Reply ask(URI address, Asked asked) throws IOException {
        Deque<LoopbackClient> unused =
                UNUSED.computeIfAbsent(address.getAuthority(), _ -> new ConcurrentLinkedDeque<>());
        LoopbackClient client = unused.poll();
        if (client == null) {
            client = new LoopbackClient(address, WAIT);
        }
        String query = address.getRawQuery() == null ? "" : "?" + address.getRawQuery();
        LoopbackClient.Reply reply;
        try {
            reply = client.send(asked.by(client, address.getRawPath() + query));
        } catch (IOException e) {
            client.close();
            throw e;
        }
        unused.push(client);
        return reply;
    }
}
