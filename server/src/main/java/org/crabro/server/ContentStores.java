package org.crabro.server;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.config.deploy.ModelChanges.Stored;
import org.crabro.container.dispatch.ClusterNodes;
import org.crabro.container.dispatch.ContentClusters;
import org.crabro.content.node.ContentNode;
import org.crabro.content.node.ContentSettings;
import org.crabro.content.node.NodePlace;
import org.crabro.protocol.cluster.NodeHealth;
import org.crabro.server.StorePlaces.Place;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The stores of the process: one content node each, with its own directory, journal, threads and
 * caches. The first store has all documents unless several content clusters have the same type;
 * each further cluster with the type has it in another store.
 *
 * <p>One thread at a time activates models; many threads send requests.
 */
final class ContentStores implements ContentClusters, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ContentStores.class);

    private final ContentSettings settings;
    private final Opener opener;
    private final StoreLinks links;
    private final StorePlacesFile file;
    private final UncaughtErrors errors;
    private final List<Store> stores = new CopyOnWriteArrayList<>();
    private StorePlaces places = StorePlaces.NONE;

    /** Where requests go. Requests of an earlier application may still name its clusters. */
    private volatile Map<Place, Store> byPlace = Map.of();

    private record Store(ContentNode node, StoreLinks.Link link) {}

    /** Opens content nodes. */
    interface Opener {
        /** Opens the node of a directory, or creates it. */
        ContentNode open(ContentSettings settings) throws IOException;
    }

    private ContentStores(
            ContentSettings settings,
            Opener opener,
            StoreLinks links,
            StorePlacesFile file,
            UncaughtErrors errors) {
        this.settings = settings;
        this.opener = opener;
        this.links = links;
        this.file = file;
        this.errors = errors;
    }

    /**
     * Opens all stores of a data directory, or creates the first.
     *
     * @param settings of each store; the place is that of the first one
     * @param opener opens each store
     * @param links links the container with each store
     * @param errors after which the nodes count as failed
     * @throws IOException if a store cannot be opened
     */
    static ContentStores open(
            ContentSettings settings, Opener opener, StoreLinks links, UncaughtErrors errors)
            throws IOException {
        Path first = settings.place().directory().toAbsolutePath();
        var file = new StorePlacesFile(first.resolveSibling(StorePlacesFile.NAME));
        var opened = new ContentStores(settings, opener, links, file, errors);
        try {
            // The first store checks a restored backup, which contains the further stores.
            opened.openUpTo(1);
            DataFiles.adoptStores(first);
            opened.read();
        } catch (IOException | RuntimeException e) {
            opened.close();
            throw e;
        }
        return opened;
    }

    private void read() throws IOException {
        places = file.read();
        Path first = settings.place().directory();
        List<Path> further = DataFiles.furtherStores(first);
        if (further.size() > places.count() - 1) {
            throw new IOException(
                    "'%s' is not in '%s', which lists the documents of each store"
                            .formatted(further.getLast(), file.path()));
        }
        openUpTo(places.count());
        know();
    }

    private void openUpTo(int count) throws IOException {
        for (int number = stores.size(); number < count; number++) {
            Path first = settings.place().directory();
            NodePlace place =
                    new NodePlace(
                            number == 0 ? first : DataFiles.store(first, number),
                            settings.place().partitions(),
                            settings.place().owned(),
                            settings.place().stateVersion());
            ContentNode node = opener.open(settings.withPlace(place));
            try {
                stores.add(new Store(node, links.link(node, number)));
            } catch (IOException | RuntimeException e) {
                node.close();
                throw e;
            }
        }
    }

    private void know() {
        Map<Place, Store> next = new HashMap<>(byPlace);
        places.stores().forEach((place, store) -> next.put(place, stores.get(store)));
        byPlace = Map.copyOf(next);
    }

    /**
     * Assigns the types of {@code model} to stores, and opens new stores. Documents of the active
     * model stay where they are.
     *
     * @throws IOException if a store cannot be opened, or the assignment not stored
     * @throws StorePlaces.TooManyStoresException if there are not enough stores
     */
    synchronized void place(ApplicationModel model) throws IOException {
        StorePlaces next = places.with(model);
        if (!next.equals(places)) {
            openUpTo(next.count());
            file.write(next);
            places = next;
            know();
            if (stores.size() > 1) {
                LOG.info("documents are in {} stores: {}", stores.size(), places.lines());
            }
        }
    }

    /** Activates the part of a model in each store; its types have places. */
    synchronized void activate(ApplicationModel model) {
        if (stores.size() == 1) {
            stores.getFirst().node.activate(model);
            return;
        }
        for (Store store : stores) {
            store.node.activate(
                    model.part((cluster, type) ->
                            store.equals(byPlace.get(new Place(cluster, type)))));
        }
    }

    @Override
    public ClusterNodes nodes(String cluster, String documentType) {
        Store store = byPlace.get(new Place(cluster, documentType));
        if (store == null) {
            throw new IllegalArgumentException(
                    "content cluster '%s' has no document type '%s'"
                            .formatted(cluster, documentType));
        }
        return store.link.nodes();
    }

    /**
     * Returns whether a document of a type is stored for a cluster.
     *
     * @throws IOException if the stored documents cannot be read
     */
    boolean hasDocuments(Stored type) throws IOException {
        return node(type).hasDocuments(type.documentType());
    }

    /**
     * Returns about how many documents of a type have a value, for a cluster.
     *
     * @param path of a field, or of a member of a struct in it
     * @throws IOException if the stored documents cannot be read
     */
    long documentsWith(Stored type, String path) throws IOException {
        return node(type).documentsWith(type.documentType(), path);
    }

    private ContentNode node(Stored type) {
        Store store = byPlace.get(new Place(type.cluster(), type.documentType()));
        return (store == null ? stores.getFirst() : store).node;
    }

    @Override
    public NodeHealth health() {
        Optional<String> failure = Optional.empty();
        var problems = new ArrayList<String>();
        for (Store store : stores) {
            NodeHealth health = store.node.health();
            failure = failure.or(health::failure);
            problems.addAll(health.problems());
        }
        return new NodeHealth(failure.or(errors::failure), problems.stream().distinct().toList());
    }

    /** Returns why a journal failed; empty if all work. */
    Optional<String> journalFailure() {
        return stores.stream().flatMap(store -> store.node.journalFailure().stream()).findFirst();
    }

    /** Returns the nodes of all stores, the first store first. */
    List<ContentNode> nodes() {
        return stores.stream().map(Store::node).toList();
    }

    /** Returns the file with the assignments; it does not exist before the first deployment. */
    StorePlacesFile file() {
        return file;
    }

    @Override
    public void close() {
        stores.forEach(store -> {
            store.link.closing().run();
            store.node.close();
        });
    }
}
