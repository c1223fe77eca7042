package org.crabro.samples.document;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.crabro.client.feed.BulkFeeder;
import org.crabro.client.feed.FeedStatistics;
import org.crabro.samples.fixture.Http;
import org.crabro.samples.fixture.NotesApplication;
import org.crabro.samples.fixture.TestSettings;
import org.crabro.server.CrabroServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Random operations in bulk, to a real server, come to what a map comes to. */
class BulkIT {
    private static final String DEPLOY = "/application/v2/tenant/default/prepareandactivate";
    private static final int OPERATIONS = 20_000;
    private static final int DOCUMENTS = 700;

    private final long seed = Long.getLong("crabro.seed", 2026);
    private final Random random = new Random(seed);

    /** Versions by id. */
    private final Map<String, Integer> versions = new HashMap<>();

    private int ok;
    private int notMet;

    @TempDir Path directory;

    @Test
    void comesToWhatAMapComesTo() throws Exception {
        var file = new StringBuilder();
        for (int i = 0; i < OPERATIONS; i++) {
            file.append(next()).append('\n');
        }
        try (var server = CrabroServer.start(TestSettings.onAnyPorts(directory.resolve("data")));
                var http = new Http()) {
            assertThat(
                            http.post(
                                            server.config().resolve(DEPLOY),
                                            "application/zip",
                                            NotesApplication.zip())
                                    .status())
                    .isEqualTo(200);
            URI container = server.container();

            FeedStatistics statistics;
            try (var feeder = new BulkFeeder(container, 2)) {
                assertThat(feeder.isOffered()).isTrue();
                statistics = feeder.feed(new ByteArrayInputStream(file.toString().getBytes(UTF_8)));
            }

            assertThat(statistics.problems()).isEmpty();
            assertThat(statistics.ok()).as("seed %d", seed).isEqualTo(ok);
            assertThat(statistics.conditionsNotMet()).as("seed %d", seed).isEqualTo(notMet);
            for (int i = 0; i < DOCUMENTS; i++) {
                String id = "id:home:note:g=u%d:%d".formatted(i % 9, i);
                JsonNode document =
                        http.get(
                                        container.resolve(
                                                "/document/v1/home/note/group/u%d/%d"
                                                        .formatted(i % 9, i)))
                                .body();
                assertThat(document.at("/fields/version").asInt(-1))
                        .as("seed %d, %s", seed, id)
                        .isEqualTo(versions.getOrDefault(id, -1));
            }
        }
    }

    private String next() {
        int number = random.nextInt(DOCUMENTS);
        String id = "id:home:note:g=u%d:%d".formatted(number % 9, number);
        Integer stored = versions.get(id);
        int version = random.nextInt(4);
        int wanted = random.nextInt(4);
        boolean hasCondition = random.nextInt(4) == 0;
        boolean creates = random.nextInt(4) == 0;
        boolean holds = !hasCondition || (stored == null ? creates : stored == wanted);
        String members =
                (hasCondition ? ",\"condition\":\"note.version==%d\"".formatted(wanted) : "")
                        + (creates ? ",\"create\":true" : "");
        return switch (random.nextInt(4)) {
            case 0, 1 -> {
                count(holds);
                if (holds) {
                    versions.put(id, version);
                }
                yield "{\"put\":\"%s\",\"fields\":{\"version\":%d}%s}"
                        .formatted(id, version, members);
            }
            case 2 -> {
                count(holds);
                if (holds && (stored != null || creates)) {
                    versions.merge(id, 1, Integer::sum);
                }
                yield "{\"update\":\"%s\",\"fields\":{\"version\":{\"increment\":1}}%s}"
                        .formatted(id, members);
            }
            default -> {
                boolean removes = !hasCondition || (stored != null && stored == wanted);
                count(removes);
                if (removes) {
                    versions.remove(id);
                }
                yield "{\"remove\":\"%s\"%s}".formatted(id, members);
            }
        };
    }

    private void count(boolean holds) {
        if (holds) {
            ok++;
        } else {
            notMet++;
        }
    }
}
