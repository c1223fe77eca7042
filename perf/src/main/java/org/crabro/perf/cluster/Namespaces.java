package org.crabro.perf.cluster;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * A network namespace for each server, and one that routes between them and this process. Packets
 * are lost in the router, so that both ends of a connection only notice that no answer comes. Needs
 * Linux, the program {@code ip}, and the right to make namespaces.
 */
final class Namespaces implements ClusterNetwork {
    private static final String ROUTER = "crabro-router";
    private static final String HOST_LINK = "crabro-host";

    private final Deque<String> undo = new ArrayDeque<>();
    private final List<String> rules = new ArrayList<>();

    private Namespaces() {}

    /**
     * Makes the namespaces.
     *
     * @throws IOException if they cannot be made here
     */
    static Namespaces make(int servers) throws IOException, InterruptedException {
        var made = new Namespaces();
        boolean isMade = false;
        try {
            made.build(servers);
            isMade = true;
            return made;
        } finally {
            if (!isMade) {
                made.close();
            }
        }
    }

    private void build(int servers) throws IOException, InterruptedException {
        SystemPrograms.run("ip netns add " + ROUTER);
        undo.push("ip netns del " + ROUTER);
        inRouter("sysctl -qw net.ipv4.ip_forward=1");
        for (int i = 1; i <= servers; i++) {
            SystemPrograms.run("ip netns add " + name(i));
            undo.push("ip netns del " + name(i));
            SystemPrograms.run(
                    "ip link add n%d netns %s type veth peer name eth0 netns %s"
                            .formatted(i, ROUTER, name(i)));
            inRouter("ip addr add %s/24 dev n%d".formatted(gateway(i), i));
            inRouter("ip link set n%d up".formatted(i));
            inServer(i, "ip addr add %s/24 dev eth0".formatted(address(i)));
            inServer(i, "ip link set eth0 up");
            inServer(i, "ip link set lo up");
            inServer(i, "ip route add default via " + gateway(i));
        }
        SystemPrograms.run(
                "ip link add %s type veth peer name host netns %s".formatted(HOST_LINK, ROUTER));
        SystemPrograms.run("ip addr add %s/24 dev %s".formatted(address(0), HOST_LINK));
        SystemPrograms.run("ip link set %s up".formatted(HOST_LINK));
        inRouter("ip addr add %s/24 dev host".formatted(gateway(0)));
        inRouter("ip link set host up");
        for (int i = 1; i <= servers; i++) {
            SystemPrograms.run("ip route add %s/32 via %s".formatted(address(i), gateway(0)));
        }
    }

    private static String name(int server) {
        return "crabro-n" + server;
    }

    private static String gateway(int server) {
        return "10.77.%d.1".formatted(server);
    }

    @Override
    public String address(int server) {
        return "10.77.%d.2".formatted(server);
    }

    private static void inRouter(String command) throws IOException, InterruptedException {
        SystemPrograms.run("ip netns exec " + ROUTER + " " + command);
    }

    private static void inServer(int server, String command)
            throws IOException, InterruptedException {
        SystemPrograms.run("ip netns exec " + name(server) + " " + command);
    }

    @Override
    public List<String> inside(int server, List<String> command) {
        var all = new ArrayList<>(List.of("ip", "netns", "exec", name(server)));
        all.addAll(command);
        return all;
    }

    @Override
    public boolean hasLinks() {
        return true;
    }

    @Override
    public synchronized void cut(int from, int to) throws IOException, InterruptedException {
        String rule = "from %s to %s blackhole".formatted(address(from), address(to));
        if (!rules.contains(rule)) {
            inRouter("ip rule add " + rule);
            rules.add(rule);
        }
    }

    @Override
    public synchronized void heal() throws IOException, InterruptedException {
        for (String rule : rules) {
            inRouter("ip rule del " + rule);
        }
        rules.clear();
    }

    @Override
    public void close() {
        while (!undo.isEmpty()) {
            try {
                SystemPrograms.run(undo.pop());
            } catch (IOException e) {
                System.err.println(e.getMessage());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
