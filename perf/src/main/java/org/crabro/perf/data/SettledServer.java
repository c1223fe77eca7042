package org.crabro.perf.data;

import java.io.IOException;
import java.net.URI;

/** Has a server write and merge everything, so that later figures do not depend on the moment. */
public final class SettledServer {
    private static final String STATE = "\"state\"";

    private SettledServer() {}

    /**
     * Returns when nothing is left to write, or after five minutes.
     *
     * @param config the address for packages
     */
    public static void settle(URI config) throws IOException, InterruptedException {
        URI address = config.resolve("/crabro/v1/settle?timeout=5m");
        String answer = PlainHttp.postAny(address, "application/json", new byte[0]);
        while (answer.contains(STATE) && answer.contains("\"running\"")) {
            Thread.sleep(200);
            answer = PlainHttp.getAny(config.resolve("/crabro/v1/settle"));
        }
    }
}
