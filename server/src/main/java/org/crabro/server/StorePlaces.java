package org.crabro.server;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.config.services.ContentCluster;
import org.crabro.config.services.ContentCluster.ClusterDocument;

/**
 * Which store has the documents of a type in a content cluster. A store has each type for one
 * cluster at most.
 *
 * <p>An assignment never changes while the cluster has the type, and stays when the cluster or the
 * type is removed: the documents are still there. Only a type that exactly one cluster had, and
 * that exactly one other cluster has then, keeps its documents: the assignment passes to the other
 * cluster.
 *
 * @param stores the numbers of the stores, from 0
 */
record StorePlaces(Map<Place, Integer> stores) {
    /** No assignment. */
    static final StorePlaces NONE = new StorePlaces(Map.of());

    /** The number of stores of a process: the number of clusters that can have the same type. */
    static final int STORES_MAX = 16;

    StorePlaces {
        stores = Map.copyOf(stores);
    }

    /** The documents of a type in a content cluster. */
    record Place(String cluster, String type) {}

    /** The types of an application are in too many clusters. */
    static final class TooManyStoresException extends RuntimeException {
        private static final long serialVersionUID = 1;

        TooManyStoresException(String cluster) {
            super(
                    "content cluster '%s' needs one more store, and there are at most %d: the same document type is or was in too many clusters"
                            .formatted(cluster, STORES_MAX));
        }
    }

    /**
     * Returns these assignments with those of all types of {@code model}.
     *
     * @throws TooManyStoresException if there are not enough stores
     */
    StorePlaces with(ApplicationModel model) {
        Map<Place, Integer> next = new HashMap<>(stores);
        passOn(model, next);
        for (ContentCluster cluster : model.services().contents()) {
            List<String> types =
                    cluster.documents().stream()
                            .map(ClusterDocument::type)
                            .filter(type -> !next.containsKey(new Place(cluster.id(), type)))
                            .toList();
            if (!types.isEmpty()) {
                int store = store(cluster.id(), types, next);
                types.forEach(type -> next.put(new Place(cluster.id(), type), store));
            }
        }
        return new StorePlaces(next);
    }

    private static void passOn(ApplicationModel model, Map<Place, Integer> next) {
        Map<String, Set<String>> clusters = new LinkedHashMap<>();
        for (ContentCluster cluster : model.services().contents()) {
            for (ClusterDocument each : cluster.documents()) {
                clusters.computeIfAbsent(each.type(), _ -> new HashSet<>()).add(cluster.id());
            }
        }
        clusters.forEach((type, now) -> {
            List<Place> before =
                    next.keySet().stream().filter(place -> place.type.equals(type)).toList();
            if (now.size() == 1 && before.size() == 1) {
                Integer store = next.remove(before.getFirst());
                if (store != null) {
                    next.put(new Place(now.iterator().next(), type), store);
                }
            }
        });
    }

    /** Returns a store without these types: one of the same cluster if possible. */
    private static int store(String cluster, List<String> types, Map<Place, Integer> taken) {
        Set<Integer> own = new HashSet<>();
        Set<Integer> full = new HashSet<>();
        taken.forEach((place, store) -> {
            if (place.cluster.equals(cluster)) {
                own.add(store);
            }
            if (types.contains(place.type)) {
                full.add(store);
            }
        });
        return IntStream.concat(
                        IntStream.range(0, STORES_MAX).filter(own::contains),
                        IntStream.range(0, STORES_MAX))
                .filter(store -> !full.contains(store))
                .findFirst()
                .orElseThrow(() -> new TooManyStoresException(cluster));
    }

    /** Returns the number of stores, at least 1. */
    int count() {
        return stores.values().stream().mapToInt(Integer::intValue).max().orElse(0) + 1;
    }

    /** Returns the assignments as lines, in the order of their places. */
    List<String> lines() {
        var sorted = new TreeMap<String, Integer>();
        stores.forEach((place, store) -> sorted.put(place.cluster + "\t" + place.type, store));
        return sorted.entrySet().stream()
                .map(entry -> entry.getValue() + "\t" + entry.getKey())
                .toList();
    }

    /**
     * Returns the assignments of {@link #lines}.
     *
     * @throws IllegalArgumentException if a line is wrong; the message contains it
     */
    static StorePlaces of(List<String> lines) {
        Map<Place, Integer> stores = new HashMap<>();
        Set<String> seen = new HashSet<>();
        for (String line : lines) {
            String[] parts = line.split("\t", -1);
            if (parts.length != 3 || !parts[0].matches("[0-9]{1,2}")) {
                throw wrong(line);
            }
            int store = Integer.parseInt(parts[0]);
            boolean isNew =
                    seen.add(store + "\t" + parts[2])
                            && stores.putIfAbsent(new Place(parts[1], parts[2]), store) == null;
            if (store >= STORES_MAX || !isNew) {
                throw wrong(line);
            }
        }
        return new StorePlaces(stores);
    }

    private static IllegalArgumentException wrong(String line) {
        return new IllegalArgumentException(
                "expected a store below %d, a cluster and a type of which the store has no other, separated by tabs, but found '%s'"
                        .formatted(STORES_MAX, line));
    }
}
