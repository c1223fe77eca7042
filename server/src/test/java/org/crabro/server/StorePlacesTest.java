package org.crabro.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.config.services.ContentCluster;
import org.crabro.config.services.ContentCluster.ClusterDocument;
import org.crabro.config.services.ContentCluster.Mode;
import org.crabro.config.services.Services;
import org.crabro.server.StorePlaces.Place;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StorePlacesTest {
    @TempDir Path directory;

    /** Returns a model of clusters such as {@code a: note tag, b: note}. */
    private static ApplicationModel model(String clusters) {
        var contents = new ArrayList<ContentCluster>();
        for (String cluster : clusters.isEmpty() ? new String[0] : clusters.split(", ", -1)) {
            String[] parts = cluster.split(": ", -1);
            contents.add(
                    new ContentCluster(
                            parts[0],
                            List.of(parts[1].split(" ", -1)).stream()
                                    .map(type -> new ClusterDocument(type, Mode.INDEX))
                                    .toList()));
        }
        return new ApplicationModel(1, new Services(List.of(), contents), Map.of());
    }

    private static StorePlaces after(String... deployments) {
        StorePlaces places = StorePlaces.NONE;
        for (String each : deployments) {
            places = places.with(model(each));
        }
        return places;
    }

    private static String shown(String... deployments) {
        return String.join("; ", after(deployments).lines()).replace('\t', ' ');
    }

    @Test
    void clustersShareAStoreUnlessTheyHaveTheSameType() {
        assertThat(shown("a: note, b: tag")).isEqualTo("0 a note; 0 b tag");
        assertThat(shown("a: note, b: note tag")).isEqualTo("0 a note; 1 b note; 1 b tag");
        assertThat(shown("a: note, b: note, c: note tag"))
                .isEqualTo("0 a note; 1 b note; 2 c note; 2 c tag");
    }

    @Test
    void documentsStayWhereTheyAreWhenClustersAreAddedAndRemoved() {
        assertThat(shown("b: note", "a: note, b: note")).isEqualTo("1 a note; 0 b note");
        assertThat(shown("a: note, b: note", "b: note")).isEqualTo("0 a note; 1 b note");
        assertThat(shown("a: note, b: note", "b: note", "b: note, c: note"))
                .as("the documents of a are not those of c")
                .isEqualTo("0 a note; 1 b note; 2 c note");
        assertThat(shown("a: note, b: note", "b: note", "a: note, b: note"))
                .isEqualTo("0 a note; 1 b note");
        assertThat(shown("a: note, b: tag", "a: note, b: tag note"))
                .as("only the new type of b needs another store")
                .isEqualTo("0 a note; 1 b note; 0 b tag");
    }

    @Test
    void aTypeOfOneClusterMovesToAnother() {
        assertThat(shown("a: note", "b: note")).isEqualTo("0 b note");
        assertThat(shown("a: note tag, b: page", "a: tag, b: page note"))
                .isEqualTo("0 a tag; 0 b note; 0 b page");
        assertThat(shown("a: note", "", "b: note")).isEqualTo("0 b note");
    }

    @Test
    void refusesMoreClustersWithATypeThanThereAreStores() {
        var clusters = new ArrayList<String>();
        for (int i = 0; i < StorePlaces.STORES_MAX; i++) {
            clusters.add("c" + i + ": note");
        }
        assertThat(after(String.join(", ", clusters)).count()).isEqualTo(StorePlaces.STORES_MAX);

        clusters.add("more: note");
        assertThatThrownBy(() -> after(String.join(", ", clusters)))
                .isInstanceOf(StorePlaces.TooManyStoresException.class)
                .hasMessageContaining("content cluster 'more'")
                .hasMessageContaining("at most 16");
    }

    /** A cluster that keeps a type keeps its store, and no store has a type twice. */
    @Test
    void anyDeploymentsKeepDocumentsApart() {
        long seed = Long.getLong("crabro.seed", 2026);
        var random = new Random(seed);
        for (int round = 0; round < 200; round++) {
            StorePlaces places = StorePlaces.NONE;
            Set<Place> before = Set.of();
            for (int step = 0; step < 8; step++) {
                Map<String, Set<String>> types = new LinkedHashMap<>();
                for (String cluster : List.of("a", "b", "c")) {
                    for (String type : List.of("note", "tag", "page")) {
                        if (random.nextInt(3) > 0) {
                            types.computeIfAbsent(cluster, _ -> new HashSet<>()).add(type);
                        }
                    }
                }
                var text = new ArrayList<String>();
                var now = new HashSet<Place>();
                types.forEach((cluster, each) -> {
                    text.add(cluster + ": " + String.join(" ", each));
                    each.forEach(type -> now.add(new Place(cluster, type)));
                });
                StorePlaces next = places.with(model(String.join(", ", text)));

                String what = "seed " + seed + ", round " + round + ": " + text;
                assertThat(next.stores().keySet()).as(what).containsAll(now);
                var expected = new HashMap<>(places.stores());
                expected.keySet().retainAll(before);
                expected.keySet().retainAll(now);
                assertThat(next.stores()).as(what).containsAllEntriesOf(expected);
                var taken = new HashSet<String>();
                next.stores()
                        .forEach((place, store) ->
                                assertThat(taken.add(store + place.type())).as(what).isTrue());
                assertThat(StorePlaces.of(next.lines())).isEqualTo(next);
                places = next;
                before = now;
            }
        }
    }

    @Test
    void theFileSaysWhatWasWritten() throws IOException {
        var file = new StorePlacesFile(directory.resolve("stores"));
        StorePlaces places = after("a: note, b: note");

        assertThat(file.read()).isEqualTo(StorePlaces.NONE);
        file.write(places);
        assertThat(file.read()).isEqualTo(places);
        assertThat(Files.readString(file.path()))
                .isEqualTo("crabro stores, format 1\n0\ta\tnote\n1\tb\tnote\n");
    }

    @Test
    void aDamagedFileIsReported() throws IOException {
        var file = new StorePlacesFile(directory.resolve("stores"));
        for (var each :
                Map.of(
                                "", "expected the line 'crabro stores, format 1' first",
                                "crabro stores, format 2\n", "but found 'crabro stores, format 2'",
                                "crabro stores, format 1\n0\ta\n", "but found '0\ta'",
                                "crabro stores, format 1\n99\ta\tnote\n", "but found '99\ta\tnote'",
                                "crabro stores, format 1\n0\ta\tnote\n0\tb\tnote\n",
                                        "but found '0\tb\tnote'")
                        .entrySet()) {
            Files.writeString(file.path(), each.getKey());

            assertThatThrownBy(file::read)
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith(file.path().toString())
                    .hasMessageContaining(each.getValue());
        }
    }
}
