package org.crabro.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.crabro.protocol.transport.NodeAddress;

/** Forwards connections to a node until they are cut. */
final class CutProxy implements AutoCloseable {
    private final ServerSocket listener;
    private final NodeAddress target;
    private final List<Socket> open = new CopyOnWriteArrayList<>();

    CutProxy(NodeAddress target) throws IOException {
        this.target = target;
        this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    NodeAddress address() {
        return new NodeAddress(NodeAddress.LOOPBACK, listener.getLocalPort());
    }

    private void accept() {
        while (true) {
            try {
                Socket from = listener.accept();
                var to = new Socket(target.host(), target.port());
                open.add(from);
                open.add(to);
                Thread.ofVirtual().start(() -> copy(from, to));
                Thread.ofVirtual().start(() -> copy(to, from));
            } catch (IOException _) {
                // Closed.
                return;
            }
        }
    }

    private static void copy(Socket from, Socket to) {
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            in.transferTo(out);
        } catch (IOException _) {
            // Cut.
        }
        close(from);
        close(to);
    }

    /** Resets all open connections. New ones are forwarded. */
    void cut() {
        open.forEach(socket -> {
            try {
                socket.setSoLinger(true, 0);
            } catch (IOException _) {
                // Closed already.
            }
            close(socket);
        });
        open.clear();
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException _) {
            // Closed already.
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        cut();
    }
}
