package org.crabro.server.warmup;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.crabro.config.application.ApplicationFiles;
import org.crabro.config.deploy.ApplicationCompiler;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.config.queryprofile.QueryProfiles;
import org.crabro.config.schema.RankProfile;
import org.crabro.config.schema.Schema;
import org.crabro.config.services.ContainerCluster;
import org.crabro.config.services.ContentCluster;
import org.crabro.config.services.ContentCluster.ClusterDocument;
import org.crabro.config.services.ContentCluster.Mode;
import org.crabro.config.services.EmbedderComponent;
import org.crabro.config.services.EmbedderSource;
import org.crabro.config.services.Services;

/**
 * The parts of an application that a warm-up uses: its schemas and the embedders that run a model,
 * without components, other models, query profiles and access rules. They would run code of the
 * application, load large files or call other hosts.
 */
final class WarmUpModel {
    /** More schemas share the code that these have compiled. */
    static final int SCHEMAS_MAX = 4;

    /** The schema of a server without an application. */
    private static final String BUILT_IN = "note.sd";

    private static final String CLUSTER = "warm-up";

    private static final String SERVICES =
            """
            <services version="1.0">
              <container id="default" version="1.0"><search/></container>
              <content id="notes" version="1.0">
                <min-redundancy>1</min-redundancy>
                <documents><document type="note" mode="streaming"/></documents>
                <nodes><node hostalias="node1" distribution-key="0"/></nodes>
              </content>
            </services>
            """;

    private WarmUpModel() {}

    /** Returns a model for a server without an application. */
    static ApplicationModel builtIn() {
        String schema;
        try (InputStream bytes = WarmUpModel.class.getResourceAsStream(BUILT_IN)) {
            if (bytes == null) {
                throw new IllegalStateException("the resource is missing: " + BUILT_IN);
            }
            schema = new String(bytes.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException("the resource cannot be read: " + BUILT_IN, e);
        }
        var files =
                new PackageTexts(
                        new TreeMap<>(
                                Map.of("services.xml", SERVICES, "schemas/" + BUILT_IN, schema)));
        return of(ApplicationCompiler.compile(files, 1).model());
    }

    /** A package in memory. */
    private record PackageTexts(SortedMap<String, String> texts) implements ApplicationFiles {
        @Override
        public SortedSet<String> paths() {
            return new TreeSet<>(texts.keySet());
        }

        @Override
        public Optional<String> text(String path) {
            return Optional.ofNullable(texts.get(path));
        }

        @Override
        public Optional<Path> location(String path) {
            return Optional.empty();
        }
    }

    /** Returns these parts of {@code active}. */
    static ApplicationModel of(ApplicationModel active) {
        Map<String, Schema> schemas =
                active.schemas().values().stream()
                        .sorted((a, b) -> a.name().compareTo(b.name()))
                        .limit(SCHEMAS_MAX)
                        .collect(Collectors.toMap(Schema::name, WarmUpModel::withoutModels));
        List<ClusterDocument> documents =
                schemas.keySet().stream()
                        .sorted()
                        .map(type -> new ClusterDocument(type, Mode.STREAMING))
                        .toList();
        return new ApplicationModel(
                1,
                new Services(
                        List.of(new ContainerCluster(CLUSTER, true, false, embedders(active))),
                        List.of(new ContentCluster(CLUSTER, documents))),
                schemas,
                QueryProfiles.NONE);
    }

    private static List<EmbedderComponent> embedders(ApplicationModel active) {
        return active.services().containers().stream()
                .flatMap(cluster -> cluster.embedders().stream())
                .filter(each -> each.source() instanceof EmbedderSource.OfModel)
                .sorted(Comparator.comparing(EmbedderComponent::id))
                .toList();
    }

    private static Schema withoutModels(Schema schema) {
        var profiles = new LinkedHashMap<String, RankProfile>();
        schema.rankProfiles()
                .forEach((name, profile) -> {
                    if (profile.contentModels().isEmpty()
                            && profile.containerModels().isEmpty()
                            && !profile.settings().usesModel()) {
                        profiles.put(name, profile);
                    }
                });
        return new Schema(
                schema.name(),
                schema.documentType(),
                schema.fields(),
                schema.names(),
                profiles,
                schema.summaries());
    }
}
