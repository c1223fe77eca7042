package org.crabro.container.visit;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.config.schema.FieldNames;
import org.crabro.config.schema.Fieldset;
import org.crabro.config.schema.IndexingScript;
import org.crabro.config.schema.MatchMode;
import org.crabro.config.schema.Schema;
import org.crabro.config.schema.SchemaField;
import org.crabro.config.schema.SnippetRules;
import org.crabro.config.schema.SummaryRules;
import org.crabro.config.services.ContainerCluster;
import org.crabro.config.services.ContentCluster;
import org.crabro.config.services.ContentCluster.ClusterDocument;
import org.crabro.config.services.ContentCluster.Mode;
import org.crabro.config.services.Services;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType.Primitive;
import org.crabro.ranking.kernel.DistanceMetric;

/** An application with music and books in one cluster, with global labels, and an archive. */
final class VisitedApplication {
    static final Schema MUSIC = schema("music");
    static final Schema BOOKS = schema("books");
    static final Schema LABELS = schema("labels");

    private VisitedApplication() {}

    static List<DocumentType> types() {
        return List.of(MUSIC.documentType(), BOOKS.documentType(), LABELS.documentType());
    }

    static ApplicationModel model() {
        var content =
                new ContentCluster(
                        "content",
                        List.of(
                                new ClusterDocument("music", Mode.STREAMING),
                                new ClusterDocument("books", Mode.STREAMING),
                                new ClusterDocument("labels", Mode.INDEX, true)));
        return new ApplicationModel(
                1,
                new Services(
                        List.of(new ContainerCluster("default", true, true, List.of())),
                        List.of(content, new ContentCluster("archive", List.of()))),
                Map.of("music", MUSIC, "books", BOOKS, "labels", LABELS));
    }

    private static Schema schema(String name) {
        var fields = new LinkedHashMap<String, SchemaField>();
        for (Field field :
                List.of(
                        new Field("title", Primitive.STRING, true),
                        new Field("year", Primitive.INT, true),
                        new Field("derived", Primitive.STRING, false))) {
            fields.put(
                    field.name(),
                    new SchemaField(
                            field,
                            Set.of(),
                            MatchMode.TEXT,
                            DistanceMetric.EUCLIDEAN,
                            new IndexingScript(List.of())));
        }
        return new Schema(
                name,
                new DocumentType(name, fields.values().stream().map(SchemaField::field).toList()),
                fields,
                new FieldNames(
                        Map.of("titles", new Fieldset("titles", List.of("title"))),
                        Map.of(),
                        Map.of()),
                Map.of(),
                new SummaryRules(Map.of(), SnippetRules.DEFAULT));
    }
}
