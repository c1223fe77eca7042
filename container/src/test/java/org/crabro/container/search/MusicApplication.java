package org.crabro.container.search;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.crabro.config.component.OwnComponents;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.config.queryprofile.QueryProfiles;
import org.crabro.config.schema.Aspect;
import org.crabro.config.schema.DocumentSummary;
import org.crabro.config.schema.DocumentSummary.SummaryField;
import org.crabro.config.schema.FieldNames;
import org.crabro.config.schema.Fieldset;
import org.crabro.config.schema.IndexingScript;
import org.crabro.config.schema.Input;
import org.crabro.config.schema.MatchMode;
import org.crabro.config.schema.RankProfile;
import org.crabro.config.schema.Schema;
import org.crabro.config.schema.SchemaField;
import org.crabro.config.schema.SnippetRules;
import org.crabro.config.schema.SummaryRules;
import org.crabro.config.services.ContainerCluster;
import org.crabro.config.services.ContainerCluster.DocumentApi;
import org.crabro.config.services.ContainerCluster.HttpAccess;
import org.crabro.config.services.ContainerCluster.SearchApi;
import org.crabro.config.services.ContentCluster;
import org.crabro.config.services.ContentCluster.ClusterDocument;
import org.crabro.config.services.ContentCluster.Mode;
import org.crabro.config.services.Services;
import org.crabro.container.query.SearchedApplication;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldType.Primitive;
import org.crabro.ranking.expression.Expression;
import org.crabro.ranking.kernel.DistanceMetric;
import org.crabro.ranking.onnx.Embedder;
import org.crabro.ranking.significance.SignificanceModels;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.TensorType;

/**
 * An application for tests: cluster {@code songs} keeps {@code music} in mode streaming and {@code
 * films} in mode index, cluster {@code cellar} keeps {@code old}, which is stored only.
 */
final class MusicApplication {
    static final TensorType VECTOR = TensorType.parse("tensor<float>(x[2])");

    static final TensorType TOKENS = TensorType.parse("tensor<float>(t{},x[2])");
    static final TensorType BYTES = TensorType.parse("tensor<int8>(x[2])");
    private static final TensorType WIDE = TensorType.parse("tensor<float>(k{},x[2000000])");

    private MusicApplication() {}

    /** With a profile {@code counted} in {@code music} that uses the models. */
    static SearchedApplication model(
            Map<String, Embedder> embedders,
            QueryProfiles queryProfiles,
            SignificanceModels significance) {
        Schema music =
                schema(
                        "music",
                        Map.of(
                                "near",
                                profile(
                                        "near",
                                        Map.of(
                                                "q", Input.of(VECTOR, Optional.empty()),
                                                "tokens", Input.of(TOKENS, Optional.empty()),
                                                "bytes", Input.of(BYTES, Optional.empty()),
                                                "wide", Input.of(WIDE, Optional.empty()),
                                                "other",
                                                        Input.of(VECTOR, Optional.of(tensor(7, 8))),
                                                "weight",
                                                        Input.of(
                                                                TensorType.SCALAR,
                                                                Optional.empty())),
                                        Map.of()),
                                "counted",
                                profile("counted", Map.of(), Map.of()).usingModel(true),
                                "constant",
                                profile("constant", Map.of(), Map.of("ranking.statistics", "none")),
                                "preset",
                                profile(
                                        "preset",
                                        Map.of(
                                                "v", Input.of(VECTOR, Optional.empty()),
                                                "d",
                                                        Input.of(
                                                                TensorType.SCALAR,
                                                                Optional.of(
                                                                        DenseTensor.parse("6")))),
                                        Map.of(
                                                "query(a)", "1",
                                                "$b", "2",
                                                "query(c)", "3",
                                                "$c", "4",
                                                "query(v)", "[1,2]",
                                                "$d", "5",
                                                "vespa.now", "5"))),
                        field("title", Primitive.STRING, MatchMode.TEXT),
                        field("artist", Primitive.STRING, MatchMode.WORD),
                        field("year", Primitive.INT, MatchMode.WORD),
                        field("live", Primitive.BOOL, MatchMode.WORD),
                        field("cover", Primitive.RAW, MatchMode.WORD),
                        field("vector", new FieldType.TensorOf(VECTOR), MatchMode.WORD));
        Schema films =
                schema(
                        "films",
                        Map.of(
                                "near",
                                profile(
                                        "near",
                                        Map.of("q", Input.of(TOKENS, Optional.empty())),
                                        Map.of())),
                        field("title", Primitive.STRING, MatchMode.TEXT),
                        field("year", Primitive.LONG, MatchMode.WORD),
                        field("length", Primitive.INT, MatchMode.WORD),
                        field("poster", Primitive.RAW, MatchMode.WORD),
                        field(
                                "maker",
                                new FieldType.StructOf(
                                        "person",
                                        List.of(new Field("name", Primitive.STRING, true))),
                                MatchMode.WORD));
        Schema old = schema("old", Map.of(), field("title", Primitive.STRING, MatchMode.TEXT));
        var services =
                new Services(
                        List.of(
                                new ContainerCluster(
                                        "front",
                                        Optional.of(
                                                new SearchApi(Set.of(), List.of(), significance)),
                                        Optional.of(DocumentApi.DEFAULT),
                                        HttpAccess.DEFAULT,
                                        List.of(),
                                        OwnComponents.NONE)),
                        List.of(
                                new ContentCluster(
                                        "songs",
                                        List.of(
                                                new ClusterDocument("music", Mode.STREAMING),
                                                new ClusterDocument("films", Mode.INDEX))),
                                new ContentCluster(
                                        "cellar",
                                        List.of(new ClusterDocument("old", Mode.STORE_ONLY)))));
        return new SearchedApplication(
                new ApplicationModel(
                        1,
                        services,
                        Map.of("music", music, "films", films, "old", old),
                        queryProfiles),
                embedders);
    }

    static DenseTensor tensor(double first, double second) {
        return DenseTensor.of(VECTOR, new double[] {first, second});
    }

    private static Schema schema(
            String name, Map<String, RankProfile> profiles, SchemaField... fields) {
        var byName = new LinkedHashMap<String, SchemaField>();
        for (SchemaField field : fields) {
            byName.put(field.field().name(), field);
        }
        var allProfiles = new LinkedHashMap<>(profiles);
        allProfiles.put("default", profile("default", Map.of(), Map.of()));
        allProfiles.put("unranked", profile("unranked", Map.of(), Map.of()));
        return new Schema(
                name,
                new DocumentType(name, byName.values().stream().map(SchemaField::field).toList()),
                byName,
                new FieldNames(
                        Map.of("default", new Fieldset("default", List.of("title"))),
                        Map.of(),
                        Map.of()),
                allProfiles,
                new SummaryRules(
                        Map.of(
                                "default",
                                new DocumentSummary(
                                        "default",
                                        byName.keySet().stream()
                                                .map(field -> new SummaryField(field, field))
                                                .toList()),
                                "short",
                                titles("short"),
                                // Each schema has a summary that others lack.
                                name + "_titles",
                                titles(name + "_titles")),
                        SnippetRules.DEFAULT,
                        !name.equals("films"),
                        false));
    }

    private static DocumentSummary titles(String name) {
        return new DocumentSummary(name, List.of(new SummaryField("title", "title")));
    }

    private static RankProfile profile(
            String name, Map<String, Input> inputs, Map<String, String> properties) {
        return new RankProfile(name, inputs, new Expression.Constant(0), Map.of(), properties);
    }

    private static SchemaField field(String name, FieldType type, MatchMode match) {
        return new SchemaField(
                new Field(name, type, true),
                Set.of(Aspect.ATTRIBUTE, Aspect.SUMMARY),
                match,
                DistanceMetric.EUCLIDEAN,
                new IndexingScript(List.of()));
    }
}
