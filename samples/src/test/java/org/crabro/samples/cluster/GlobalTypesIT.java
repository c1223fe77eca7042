package org.crabro.samples.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.StreamSupport;
import org.crabro.samples.fixture.Http;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Parents in a cluster whose nodes do not have all shards of their children. */
class GlobalTypesIT {
    private static final int ARTISTS = 10;
    private static final int SONGS = 40;

    private static final String ARTIST =
            """
            schema artist {
                document artist {
                    field name type string { indexing: attribute | summary }
                    field fans type int { indexing: attribute | summary }
                }
            }
            """;

    private static final String SONG =
            """
            schema song {
                document song {
                    field title type string { indexing: index | summary }
                    field artist type reference<artist> { indexing: attribute | summary }
                }
                import field artist.name as artist_name {}
                import field artist.fans as fans {}
            }
            """;

    @TempDir Path directory;
    private HostCluster cluster;

    @BeforeEach
    void start() throws IOException {
        cluster = new HostCluster(directory, 1);
        cluster.startAll(4);
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    @Test
    void childrenOnEachNodeFindTheirParents() throws Exception {
        deploy(4, Optional.empty());
        awaitReplicas(Set.of(0, 1, 2, 3));
        feed();
        for (int container = 0; container < 2; container++) {
            awaitChildren(container, "fans > 0", SONGS);
            assertThat(count(container, "song", "artist_name contains \"artist 7\"")).isEqualTo(4);
            assertThat(count(container, "artist", "true")).isEqualTo(ARTISTS);
            assertThat(cluster.visited(container)).hasSize(SONGS);
            String parents = "?cluster=notes&bucketSpace=global&wantedDocumentCount=99";
            assertThat(get(container, parents).path("documents")).hasSize(ARTISTS);
        }
        JsonNode artist = get(1, "a/artist/docid/7");
        assertThat(artist.path("fields").path("name").asString()).isEqualTo("artist 7");

        // A parent changes, and all its children with it.
        ObjectNode update = Http.JSON.createObjectNode();
        update.putObject("fields").putObject("fans").put("increment", 1_000);
        Http.Answer changed =
                cluster.http()
                        .put(cluster.container(0).resolve("/document/v1/a/artist/docid/7"), update);
        assertThat(changed.status()).as(changed.toString()).isEqualTo(200);
        awaitChildren(1, "fans > 1000", SONGS / ARTISTS);

        // A host is restarted, and leads shards again.
        cluster.stop(3);
        put("artist", 3, "{\"fields\":{\"fans\":2000}}");
        cluster.start(3);
        awaitLeaders(3);
        awaitChildren(0, "fans > 1000", 2 * SONGS / ARTISTS);

        // A host joins, and leads shards with children.
        cluster.start(4);
        cluster.awaitHosts();
        deploy(5, Optional.empty());
        awaitReplicas(Set.of(0, 1, 2, 3, 4));
        awaitLeaders(4);
        awaitChildren(0, "fans > 0", SONGS);

        // A node whose replica votes is retired, so a listener votes in its place.
        int retired = voters().stream().filter(node -> node > 1).findFirst().orElseThrow();
        deploy(5, Optional.of(retired));
        Set<Integer> others = new HashSet<>(Set.of(0, 1, 2, 3, 4));
        others.remove(retired);
        awaitReplicas(others);
        cluster.stop(retired);
        awaitChildren(1, "fans > 1000", 2 * SONGS / ARTISTS);
        assertThat(count(0, "artist", "fans > 1000")).isEqualTo(2);
        put("artist", 1, "{\"fields\":{\"fans\":5000}}");
        awaitChildren(0, "fans > 4000", SONGS / ARTISTS);
    }

    @Test
    void refusesAPackageThatWouldMoveDocuments() throws Exception {
        deploy(3, Optional.empty());

        Http.Answer answer = cluster.deploy(0, files(4, Optional.empty()));

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.body().toString())
                .contains("content 'notes': each of the 4 nodes needs all documents");
        assertThat(cluster.status(0).path("contents")).hasSize(1);
    }

    private void feed() throws Exception {
        for (int i = 0; i < ARTISTS; i++) {
            put(
                    "artist",
                    i,
                    "{\"fields\":{\"name\":\"artist %d\",\"fans\":%d}}".formatted(i, 10 + i));
        }
        for (int i = 0; i < SONGS; i++) {
            put(
                    "song",
                    i,
                    "{\"fields\":{\"title\":\"song %d\",\"artist\":\"id:a:artist::%d\"}}"
                            .formatted(i, i % ARTISTS));
        }
    }

    private void put(String type, int number, String json) throws Exception {
        Http.Answer answer =
                cluster.http()
                        .post(
                                cluster.container(number % 2)
                                        .resolve(
                                                "/document/v1/a/%s/docid/%d"
                                                        .formatted(type, number)),
                                Http.JSON.readTree(json));
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
    }

    private JsonNode get(int container, String path) throws Exception {
        Http.Answer answer =
                cluster.http().get(cluster.container(container).resolve("/document/v1/" + path));
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        return answer.body();
    }

    /** A query may see a parent later than the write of it returns. */
    private void awaitChildren(int container, String condition, int count) {
        await().atMost(HostCluster.PATIENCE)
                .untilAsserted(
                        () -> assertThat(count(container, "song", condition)).isEqualTo(count));
    }

    private long count(int container, String type, String condition) throws Exception {
        String yql =
                URLEncoder.encode(
                        "select * from %s where %s".formatted(type, condition),
                        StandardCharsets.UTF_8);
        Http.Answer answer =
                cluster.http()
                        .get(
                                cluster.container(container)
                                        .resolve("/search/?timeout=10s&hits=1&yql=" + yql));
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        JsonNode root = answer.body().path("root");
        assertThat(root.path("coverage").path("coverage").asInt())
                .as(root.toString())
                .isEqualTo(100);
        return root.path("fields").path("totalCount").asLong();
    }

    private JsonNode content(String name) throws Exception {
        JsonNode contents = cluster.status(0).path("contents");
        return StreamSupport.stream(contents.spliterator(), false)
                .filter(each -> each.path("name").asString().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError(contents.toString()));
    }

    /** Returns the nodes that vote for writes of parents. */
    private Set<Integer> voters() throws Exception {
        Set<Integer> nodes = new TreeSet<>();
        content("notes+global")
                .path("shards")
                .get(0)
                .path("voters")
                .forEach(each -> nodes.add(each.path("node").asInt()));
        return nodes;
    }

    /** Waits until each node has all parents, and all replicas are where they should be. */
    private void awaitReplicas(Set<Integer> nodes) {
        await().atMost(HostCluster.PATIENCE)
                .untilAsserted(() -> {
                    Set<Integer> having = new TreeSet<>(voters());
                    assertThat(having).hasSize(3);
                    JsonNode global = content("notes+global");
                    global.path("listeners")
                            .get(0)
                            .path("replicas")
                            .forEach(each -> having.add(each.path("node").asInt()));
                    assertThat(having).as(global.toString()).isEqualTo(nodes);
                    long generation = cluster.status(0).path("generation").asLong();
                    for (String name : Set.of("notes", "notes+global")) {
                        JsonNode content = content(name);
                        assertThat(content.path("moves")).as(content.toString()).isEmpty();
                        for (JsonNode shard : content.path("shards")) {
                            assertThat(shard.path("leader").isNull())
                                    .as(shard.toString())
                                    .isFalse();
                        }
                        for (int node : nodes) {
                            assertThat(
                                            content.path("nodes")
                                                    .path(Integer.toString(node))
                                                    .path("generation")
                                                    .asLong())
                                    .as("node %d: %s", node, content)
                                    .isEqualTo(generation);
                        }
                    }
                });
    }

    /** Waits until a node leads some of the shards with children. */
    private void awaitLeaders(int node) {
        await().atMost(HostCluster.PATIENCE)
                .untilAsserted(() -> {
                    Set<Integer> leaders = new TreeSet<>();
                    content("notes")
                            .path("shards")
                            .forEach(shard -> leaders.add(shard.path("leader").asInt(-1)));
                    assertThat(leaders).contains(node);
                });
    }

    private void deploy(int hosts, Optional<Integer> retired) throws Exception {
        Http.Answer answer = cluster.deploy(0, files(hosts, retired));
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
    }

    private static Map<String, String> files(int hosts, Optional<Integer> retired) {
        ClusterPackage files =
                ClusterPackage.of(
                        hosts,
                        retired,
                        2,
                        """
                        <document type="song" mode="index"/>
                        <document type="artist" mode="index" global="true"/>
                        """);
        return Map.of(
                "hosts.xml",
                files.hosts(),
                "services.xml",
                files.services(),
                "schemas/artist.sd",
                ARTIST,
                "schemas/song.sd",
                SONG);
    }
}
