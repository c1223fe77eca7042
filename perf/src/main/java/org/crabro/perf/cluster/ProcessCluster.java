package org.crabro.perf.cluster;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

/**
 * Servers of a cluster, each a process with its own directory and ports. The first one is the
 * config server; all are containers and have replicas. Their numbers begin at 1. The processes may
 * be started and ended by several threads.
 */
final class ProcessCluster implements AutoCloseable {
    static final int SERVERS = 3;

    private static final Duration START_WAIT = Duration.ofSeconds(90);
    private static final Duration STOP_WAIT = Duration.ofSeconds(60);

    static final String SCHEMA =
            """
            schema note {
              document note {
                field text type string { indexing: summary | index }
                field count type int { indexing: summary | attribute }
              }
            }
            """;

    private static final JsonMapper JSON = new JsonMapper();
    private static final Pattern WITHOUT_LEADER = Pattern.compile("\"leader\"\\s*:\\s*null");
    private static final Pattern LEADER = Pattern.compile("\"leader\"\\s*:\\s*(\\d)");
    private static final Pattern FORMAT = Pattern.compile("\"format\"\\s*:\\s*(\\d+)");
    private static final Pattern UP = Pattern.compile("\"status\"\\s*:\\s*\"UP\"");

    private final Path folder;
    private final ClusterNetwork network;
    private final List<String> javaOptions;
    private final List<String> settings;
    private final List<String> classPaths = new ArrayList<>();
    private final List<Optional<Process>> processes = new ArrayList<>();
    private final List<Integer> ports;
    private final HttpClient http = client();

    /**
     * @param folder of the data, with a directory for each server
     * @param javaOptions such as the size of the heap
     * @param settings such as {@code warmUp=0s}
     */
    ProcessCluster(
            Path folder, ClusterNetwork network, List<String> javaOptions, List<String> settings)
            throws IOException {
        this.folder = folder;
        this.network = network;
        this.javaOptions = List.copyOf(javaOptions);
        this.settings = List.copyOf(settings);
        for (int i = 0; i <= SERVERS; i++) {
            processes.add(Optional.empty());
            classPaths.add(System.getProperty("java.class.path"));
        }
        // A container, the two listeners of a content node each; two of the config server.
        this.ports = ServerPorts.free(2 + 3 * SERVERS);
    }

    /** Returns a client whose connections fail early. */
    static HttpClient client() {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(Duration.ofSeconds(2))
                .build();
    }

    static IntStream servers() {
        return IntStream.rangeClosed(1, SERVERS);
    }

    Path data(int server) {
        return folder.resolve("n" + server);
    }

    /** Sets the class path of the next starts of a server. The default is this process's. */
    synchronized void use(int server, String classPath) {
        classPaths.set(server, classPath);
    }

    private synchronized String classPath(int server) {
        return classPaths.get(server);
    }

    /** Starts a server, and returns when it is up. */
    void start(int server) throws IOException, InterruptedException {
        Path log = folder.resolve("n" + server + ".log");
        Files.createDirectories(data(server));
        Process process =
                new ProcessBuilder(network.inside(server, command(server)))
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                        .start();
        long begin = Files.size(log);
        set(server, Optional.of(process));
        long end = System.nanoTime() + START_WAIT.toNanos();
        while (!written(log, begin).contains(" is up: ")) {
            if (process.waitFor(50, TimeUnit.MILLISECONDS) || System.nanoTime() > end) {
                throw new IOException(
                        "server n%d did not start:\n%s".formatted(server, written(log, begin)));
            }
        }
    }

    private static String written(Path log, long from) throws IOException {
        byte[] all = Files.readAllBytes(log);
        return new String(all, (int) from, all.length - (int) from, StandardCharsets.UTF_8);
    }

    private static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    private void makeCertificates() throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                java(),
                                "-cp",
                                System.getProperty("java.class.path"),
                                "org.crabro.server.Crabro",
                                "cluster",
                                "certificates",
                                "--directory",
                                folder.resolve("certificates").toString()));
        servers().mapToObj(network::address).forEach(command::add);
        SystemPrograms.run(command);
    }

    private List<String> command(int server) {
        List<String> command = new ArrayList<>();
        command.add(java());
        command.addAll(
                List.of(
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        "-XX:+ExitOnOutOfMemoryError"));
        command.addAll(javaOptions);
        command.addAll(
                List.of(
                        "-cp",
                        classPath(server),
                        "org.crabro.server.Crabro",
                        "serve",
                        "--data",
                        data(server).toString(),
                        "--config-servers",
                        "n1=%s:%d".formatted(network.address(1), ports.get(0)),
                        "--host",
                        "n" + server,
                        "--port",
                        Integer.toString(ports.get(2 + server - 1)),
                        "--config-port",
                        Integer.toString(ports.get(1)),
                        "--node-port",
                        Integer.toString(nodePort(server)),
                        "--set",
                        "content.recent.feed.reservedBytes=64MiB"));
        settings.forEach(each -> command.addAll(List.of("--set", each)));
        if (network.hasLinks()) {
            Path certificates = folder.resolve("certificates");
            command.addAll(
                    List.of(
                            "--insecure",
                            "--address",
                            network.address(server),
                            "--config-address",
                            network.address(server),
                            "--node-address",
                            network.address(server),
                            "--node-key",
                            certificates.resolve(network.address(server) + "-key.pem").toString(),
                            "--node-certificates",
                            certificates.resolve(network.address(server) + ".pem").toString(),
                            "--node-authorities",
                            certificates.resolve("authority.pem").toString()));
        }
        return command;
    }

    /** Returns the first of two ports in a row, which are probably free. */
    private int nodePort(int server) {
        return ServerPorts.END + ports.get(2 + SERVERS) % 7_000 + 10 * server;
    }

    private synchronized void set(int server, Optional<Process> process) {
        processes.set(server, process);
    }

    private synchronized Optional<Process> process(int server) {
        return processes.get(server);
    }

    /** Returns whether a server has a process. */
    boolean isRunning(int server) {
        return process(server).filter(Process::isAlive).isPresent();
    }

    long pid(int server) {
        return process(server).orElseThrow().pid();
    }

    /** Ends a server at once. */
    void kill(int server) throws InterruptedException {
        if (process(server).isPresent()) {
            process(server).get().destroyForcibly().waitFor();
        }
    }

    /** Asks a server to end, and waits for that. Returns false if it had to be killed. */
    boolean stop(int server) throws InterruptedException {
        Process process = process(server).orElseThrow();
        process.destroy();
        if (process.waitFor(STOP_WAIT)) {
            return true;
        }
        process.destroyForcibly().waitFor();
        return false;
    }

    /** Sends a signal such as STOP and CONT. */
    void signal(int server, String signal) throws IOException, InterruptedException {
        SystemPrograms.run("kill -%s %d".formatted(signal, pid(server)));
    }

    /** Returns where a server answers requests. */
    URI container(int server) {
        return URI.create(
                "http://%s:%d".formatted(network.address(server), ports.get(2 + server - 1)));
    }

    private URI config() {
        return URI.create("http://%s:%d".formatted(network.address(1), ports.get(1)));
    }

    /** Makes certificates, starts all servers and deploys the package. */
    void startAll() throws Exception {
        if (network.hasLinks()) {
            makeCertificates();
        }
        for (int server = 1; server <= SERVERS; server++) {
            start(server);
        }
        long end = System.nanoTime() + START_WAIT.toNanos();
        while (!get(config().resolve("/cluster/v2"), Duration.ofSeconds(5)).contains("\"n3\"")) {
            if (System.nanoTime() > end) {
                throw new IOException("the servers do not report");
            }
            Thread.sleep(100);
        }
        deploy("first", OptionalInt.empty());
        awaitServing(Duration.ofMinutes(2));
    }

    /**
     * Deploys the package again.
     *
     * @param remark changes the package
     * @param retired the server whose replicas move to the others
     */
    void deploy(String remark, OptionalInt retired) throws IOException, InterruptedException {
        var bytes = new ByteArrayOutputStream();
        try (var zip = new ZipOutputStream(bytes)) {
            for (Map.Entry<String, String> file : files(remark, retired).entrySet()) {
                zip.putNextEntry(new ZipEntry(file.getKey()));
                zip.write(file.getValue().getBytes(StandardCharsets.UTF_8));
            }
        }
        HttpResponse<String> answer =
                http.send(
                        HttpRequest.newBuilder(
                                        config().resolve(
                                                        "/application/v2/tenant/default/prepareandactivate"))
                                .header("Content-Type", "application/zip")
                                .timeout(Duration.ofSeconds(60))
                                .POST(HttpRequest.BodyPublishers.ofByteArray(bytes.toByteArray()))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
            throw new IOException("the package was refused: " + answer.body());
        }
    }

    private static Map<String, String> files(String remark, OptionalInt retired) {
        var hosts = new StringBuilder("<hosts><!-- %s -->".formatted(remark));
        var containers = new StringBuilder();
        var contents = new StringBuilder();
        for (int i = 1; i <= SERVERS; i++) {
            hosts.append("<host name=\"n%d\"><alias>node%d</alias></host>".formatted(i, i));
            containers.append("<node hostalias=\"node%d\"/>".formatted(i));
            contents.append(
                    "<node hostalias=\"node%d\" distribution-key=\"%d\" retired=\"%b\"/>"
                            .formatted(i, i - 1, retired.equals(OptionalInt.of(i))));
        }
        return Map.of(
                "hosts.xml",
                hosts + "</hosts>",
                "services.xml",
                """
                <services version="1.0">
                  <container id="default" version="1.0">
                    <search/>
                    <document-api/>
                    <nodes>%s</nodes>
                  </container>
                  <content id="notes" version="1.0">
                    <min-redundancy>3</min-redundancy>
                    <documents><document type="note" mode="streaming"/></documents>
                    <nodes>%s</nodes>
                  </content>
                </services>
                """
                        .formatted(containers, contents),
                "schemas/note.sd",
                SCHEMA);
    }

    /** Returns the answer to a GET; the status of another answer than 200 fails. */
    String get(URI uri, Duration timeout) throws IOException, InterruptedException {
        HttpResponse<String> answer =
                http.send(
                        HttpRequest.newBuilder(uri).timeout(timeout).build(),
                        HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
            throw new IOException(answer.statusCode() + ": " + answer.body());
        }
        return answer.body();
    }

    /** Returns the number of shards that each server leads, as the config server says. */
    int[] led() throws IOException, InterruptedException {
        int[] led = new int[SERVERS + 1];
        String status = get(config().resolve("/cluster/v2"), Duration.ofSeconds(5));
        LEADER.matcher(status)
                .results()
                .forEach(each -> led[1 + Integer.parseInt(each.group(1))]++);
        return led;
    }

    /** Returns the version of formats in use, as the config server says. */
    int format() throws IOException, InterruptedException {
        String status = get(config().resolve("/cluster/v2"), Duration.ofSeconds(5));
        return FORMAT.matcher(status)
                .results()
                .mapToInt(each -> Integer.parseInt(each.group(1)))
                .findFirst()
                .orElseThrow(() -> new IOException("no format in " + status));
    }

    /**
     * Waits until the config server counts a killed server as down. Before that it would refuse
     * another process of the same name with other data.
     */
    void awaitDown(int server, Duration patience) throws IOException, InterruptedException {
        String node = Integer.toString(server - 1);
        await(
                "down",
                patience,
                () -> {
                    JsonNode content = content();
                    String status = content.path("nodes").path(node).path("status").asString("");
                    return status.equals("DOWN") ? "" : "n%d: %s".formatted(server, content);
                });
    }

    /**
     * Waits until all replicas are where they should be, and serve.
     *
     * @param voters of each shard
     */
    void awaitPlaced(int voters, Duration patience) throws IOException, InterruptedException {
        await(
                "placed",
                patience,
                () -> {
                    JsonNode content = content();
                    return isPlaced(content, voters) ? "" : content.toString();
                });
        awaitServing(voters, patience);
    }

    /** Returns what the config server says about the nodes; missing if it does not answer. */
    private JsonNode content() throws InterruptedException {
        try {
            return JSON.readTree(get(config().resolve("/cluster/v2"), Duration.ofSeconds(5)))
                    .path("contents")
                    .path(0);
        } catch (IOException _) {
            return MissingNode.getInstance();
        }
    }

    /**
     * Returns whether the voters of each shard are the nodes that it should have, as they are now.
     */
    private static boolean isPlaced(JsonNode content, int voters) {
        for (JsonNode shard : content.path("shards")) {
            Set<String> wanted = new TreeSet<>();
            for (JsonNode node : shard.path("desired")) {
                wanted.add(content.path("nodes").path(node.asString()).path("peer").asString(""));
            }
            Set<String> voting = new TreeSet<>();
            shard.path("voters").forEach(voter -> voting.add(voter.path("peer").asString()));
            if (wanted.size() != voters || !voting.equals(wanted)) {
                return false;
            }
        }
        return content.path("moves").isEmpty()
                && content.path("copies").isEmpty()
                && content.path("missing").isEmpty()
                && !content.path("shards").isEmpty();
    }

    /** Waits until all nodes work, each shard has a leader, and queries have full coverage. */
    void awaitServing(Duration patience) throws IOException, InterruptedException {
        awaitServing(SERVERS, patience);
    }

    private void awaitServing(int nodes, Duration patience)
            throws IOException, InterruptedException {
        await("serving", patience, () -> missing(nodes));
    }

    /** Tells what is missing; an empty text if nothing is. */
    private interface Missing {
        String text() throws InterruptedException;
    }

    private static void await(String what, Duration patience, Missing missing)
            throws IOException, InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        for (String text = missing.text(); !text.isEmpty(); text = missing.text()) {
            if (System.nanoTime() > end) {
                throw new IOException("not %s after %s: %s".formatted(what, patience, text));
            }
            Thread.sleep(50);
        }
    }

    private String missing(int nodes) throws InterruptedException {
        try {
            String status = get(config().resolve("/cluster/v2"), Duration.ofSeconds(5));
            if (WITHOUT_LEADER.matcher(status).find()
                    || UP.matcher(status).results().count() < nodes) {
                return status;
            }
            for (int server = 1; server <= SERVERS; server++) {
                String state =
                        get(
                                container(server).resolve(NoteQuery.ALL.path(5_000)),
                                Duration.ofSeconds(10));
                if (!NoteQuery.isComplete(state)) {
                    return state;
                }
            }
            return "";
        } catch (IOException e) {
            return e.toString();
        }
    }

    @Override
    public void close() {
        servers().forEach(server -> process(server).ifPresent(Process::destroyForcibly));
        http.close();
    }
}
