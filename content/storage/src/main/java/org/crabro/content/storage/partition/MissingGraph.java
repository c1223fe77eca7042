package org.crabro.content.storage.partition;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.crabro.content.storage.graph.GraphBuilder;
import org.crabro.content.storage.graph.GraphField;
import org.crabro.content.storage.graph.StoredGraph;
import org.crabro.content.storage.index.BuildResources;
import org.crabro.content.storage.index.IndexSettings;
import org.crabro.content.storage.index.IndexedRun;
import org.crabro.content.storage.journal.LogFiles;
import org.crabro.content.storage.run.RunPart;
import org.crabro.content.storage.run.RunSection;
import org.crabro.content.storage.run.StoredTypes;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The graphs that the vectors of a field should have in a run and do not have, or have with other
 * settings.
 *
 * @param run identifies the rows
 * @param section the rows
 * @param wanted the field
 * @param fileName of the graphs
 */
record MissingGraph(
        IndexedRun run, RunSection section, StoredGraph.Target wanted, String fileName) {
    private static final Logger LOG = LoggerFactory.getLogger(MissingGraph.class);

    /** The end of the name of a file that is not finished. */
    private static final String UNFINISHED = ".new";

    /** Moves finished graphs to their place. */
    interface Publisher {
        /**
         * Moves graphs to {@code path} and attaches them to their rows; or deletes them, if their
         * run is not listed any more.
         */
        void publish(MissingGraph graph, String finished, String path) throws IOException;
    }

    /** Returns the first graphs that are missing; empty if there are none. */
    static Optional<MissingGraph> find(
            List<RunPart> parts, StoredTypes types, IndexSettings settings) {
        for (RunPart part : parts) {
            List<RunSection> sections = part.run().sections();
            for (int i = 0; i < sections.size(); i++) {
                RunSection section = sections.get(i);
                Map<String, GraphField> fields = types.graphFields(section.type()).byName();
                if (fields.isEmpty() || section.rowTotal() < settings.rowsMin()) {
                    continue;
                }
                IndexedRun run = part.indexed(i);
                for (var field : new TreeMap<>(fields).entrySet()) {
                    Optional<String> name = StoredGraph.fileName(run, field.getKey());
                    if (name.isPresent() && isMissing(section, field.getKey(), field.getValue())) {
                        return Optional.of(
                                new MissingGraph(
                                        run,
                                        section,
                                        new StoredGraph.Target(field.getKey(), field.getValue()),
                                        name.get()));
                    }
                }
            }
        }
        return Optional.empty();
    }

    /** Rows that were written with another type of the field are compared exactly. */
    private static boolean isMissing(RunSection section, String name, GraphField wanted) {
        return section.type()
                        .field(name)
                        .map(Field::type)
                        .filter(new FieldType.TensorOf(wanted.type())::equals)
                        .isPresent()
                && section.graphs().of(name).filter(has -> has.isOf(wanted)).isEmpty();
    }

    /** Opens the graphs, if their file is intact; otherwise builds them. */
    void make(
            LogFiles files,
            String directory,
            BuildResources resources,
            BooleanSupplier isClosing,
            Publisher publisher)
            throws IOException {
        String path = directory + "/" + fileName;
        if (files.list(directory).contains(fileName)) {
            if (attach(files, path)) {
                return;
            }
            files.delete(path);
        }
        files.delete(path + UNFINISHED);
        MissingIndex.checkRoom(files, run, path);
        boolean isDone = false;
        try {
            new GraphBuilder(
                            files,
                            section,
                            wanted.name(),
                            wanted.field(),
                            resources,
                            section.sources())
                    .write(path + UNFINISHED, run, isClosing);
            publisher.publish(this, path + UNFINISHED, path);
            isDone = true;
        } finally {
            if (!isDone) {
                files.delete(path + UNFINISHED);
            }
        }
    }

    /** Opens the graphs and attaches them to their rows; returns false if they must be built. */
    boolean attach(LogFiles files, String path) throws IOException {
        try {
            Optional<StoredGraph> opened = StoredGraph.open(files, path, run, section, wanted);
            opened.ifPresent(graph -> section.attach(wanted.name(), graph));
            return opened.isPresent();
        } catch (IOException e) {
            LOG.warn("Graphs of neighbors cannot be read and are built again: {}", e.getMessage());
            return false;
        }
    }
}
