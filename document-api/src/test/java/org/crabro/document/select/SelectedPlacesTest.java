package org.crabro.document.select;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.Set;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;
import org.crabro.document.LocationKey;
import org.crabro.document.select.SelectedPlaces.Place;
import org.junit.jupiter.api.Test;

class SelectedPlacesTest {
    @Test
    void findsGroupsNumbersBucketsAndIds() {
        assertThat(places("id.group == 'anna'")).containsExactly(group("anna"));
        assertThat(places("'anna' = id.group")).containsExactly(group("anna"));
        assertThat(places("id.user == 7 and music.year > 2"))
                .containsExactly(new Place.Of(new LocationKey.Numbered(7)));
        assertThat(places("id.group == 'a' or id.group == 'b'"))
                .containsExactlyInAnyOrder(group("a"), group("b"));
        assertThat(places("id == 'id:ns:music:g=a:1' and id.group == 'a'"))
                .containsExactly(new Place.One(DocumentId.parse("id:ns:music:g=a:1")));
        assertThat(places("id.bucket == 1")).containsExactly(new Place.InBucket(1));
        assertThat(places("id.group == 'a' and id.group == 'b'")).isEmpty();
        assertThat(places("false")).isEmpty();
    }

    @Test
    void findsNothingElsewhere() {
        for (String text :
                List.of(
                        "",
                        "music",
                        "id.group = 'a*'",
                        "id.group != 'a'",
                        "not id.group == 'a'",
                        "id.group == 'a' or music.year > 1",
                        "id.user > 7")) {
            assertThat(Selection.parse(text, Music.TYPES).places().isEverywhere())
                    .as(text)
                    .isTrue();
        }
    }

    /** A selected document is in one of the places. */
    @Test
    void losesNoDocument() {
        long seed = Long.getLong("crabro.seed", 2026);
        var random = new Random(seed);
        List<Document> documents =
                List.of(
                        Music.document("id:ns:music:g=a:1"),
                        Music.document("id:ns:music:g=b:1"),
                        Music.document("id:ns:music:n=7:1"),
                        Music.document("id:ns:music::1"));
        int meant = 0;
        for (int i = 0; i < 5_000; i++) {
            String text = random(random, documents, 3);
            Selection selection = Selection.parse(text, Music.TYPES);
            SelectedPlaces places = selection.places();
            for (Document document : documents) {
                if (selection.of(SelectedDocument.of(document), 0) == Truth.TRUE) {
                    meant++;
                    assertThat(places.isEverywhere() || isIn(places.places(), document.id()))
                            .as("seed %d: %s of %s", seed, text, document.id())
                            .isTrue();
                }
            }
        }
        assertThat(meant).isGreaterThan(100);
    }

    private static boolean isIn(Set<Place> places, DocumentId id) {
        return places.stream()
                .anyMatch(place ->
                        switch (place) {
                            case Place.Of(var key) -> key.equals(id.key());
                            case Place.One(var one) -> one.equals(id);
                            case Place.InBucket(var bucket) ->
                                    Buckets.contains(bucket, id.globalId().bucket());
                        });
    }

    private static String random(Random random, List<Document> documents, int depth) {
        if (depth > 0 && random.nextInt(3) > 0) {
            String operator = random.nextBoolean() ? " and " : " or ";
            return "("
                    + random(random, documents, depth - 1)
                    + operator
                    + random(random, documents, depth - 1)
                    + ")";
        }
        DocumentId id = documents.get(random.nextInt(documents.size())).id();
        return switch (random.nextInt(7)) {
            case 0 -> "id == '" + id + "'";
            case 1 -> "id.group == '" + (random.nextBoolean() ? "a" : "b") + "'";
            case 2 -> "id.user == 7";
            case 3 -> "id.bucket == " + ((8L << 58) | (id.globalId().bucket() & 0xff));
            case 4 -> "music.year == 1998";
            case 5 -> "not id.group == 'a'";
            default -> "id = 'id:ns:music:*'";
        };
    }

    private static Set<Place> places(String text) {
        SelectedPlaces places = Selection.parse(text, Music.TYPES).places();
        assertThat(places.isEverywhere()).as(text).isFalse();
        return places.places();
    }

    private static Place group(String name) {
        return new Place.Of(new LocationKey.Group(name));
    }
}
