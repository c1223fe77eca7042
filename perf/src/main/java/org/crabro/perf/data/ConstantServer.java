package org.crabro.perf.data;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.crabro.container.http.BrowserRules;
import org.crabro.container.http.HttpListener;
import org.crabro.container.http.HttpSettings;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * A server in a process of its own that answers every request with the same bytes, on the threads
 * that answer queries. It measures the cost of HTTP alone.
 */
public final class ConstantServer implements AutoCloseable {
    private final Process process;
    private final URI address;

    private ConstantServer(Process process, URI address) {
        this.process = process;
        this.address = address;
    }

    /**
     * Starts one with this process's Java, flags and class path.
     *
     * @param length of the answers in bytes
     */
    public static ConstantServer start(int length) throws IOException {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(
                List.of(
                        "-cp",
                        System.getProperty("java.class.path"),
                        ConstantServer.class.getName(),
                        Integer.toString(length)));
        Process process =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        var said = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
        String address = said.readLine();
        if (address == null) {
            throw new IOException("the server of constants did not start");
        }
        return new ConstantServer(process, URI.create(address));
    }

    public URI address() {
        return address;
    }

    public long pid() {
        return process.pid();
    }

    @Override
    public void close() {
        process.destroy();
    }

    /** Listens until the process is ended, or the one that started it is gone. */
    public static void main(String[] arguments) throws IOException {
        byte[] answer = new byte[Integer.parseInt(arguments[0])];
        Handler constant =
                new Handler.Abstract() {
                    @Override
                    public boolean handle(Request request, Response response, Callback callback) {
                        response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
                        response.write(true, ByteBuffer.wrap(answer), callback);
                        return true;
                    }
                };
        try (HttpListener listener =
                HttpListener.start(
                        HttpSettings.loopback(0),
                        constant,
                        _ -> true,
                        () -> BrowserRules.NONE,
                        (_, _) -> {})) {
            System.out.println(listener.url());
            System.out.flush();
            System.in.transferTo(OutputStream.nullOutputStream());
        }
    }
}
