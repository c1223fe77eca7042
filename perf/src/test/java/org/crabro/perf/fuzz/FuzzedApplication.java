package org.crabro.perf.fuzz;

import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.crabro.config.application.ApplicationFiles;
import org.crabro.config.deploy.ApplicationCompiler;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.config.schema.Schema;
import org.crabro.document.DocumentType;

/** The application that fuzz targets ask: a field of every type, and a file of every kind. */
public final class FuzzedApplication {
    /** The path of the file that schema {@code all} is in. */
    public static final String SCHEMA = "schemas/all.sd";

    private static final Map<String, String> FILES =
            Map.of(
                    "services.xml",
                    """
                    <services version="1.0">
                      <container id="default" version="1.0"><search/><document-api/></container>
                      <content id="store" version="1.0">
                        <min-redundancy>1</min-redundancy>
                        <documents>
                          <document type="all" mode="index"/>
                          <document type="made" mode="streaming"/>
                        </documents>
                      </content>
                    </services>
                    """,
                    "schemas/made.sd",
                    """
                    schema made {
                      document made {
                        field text type string { indexing: index | summary }
                        field year type int { indexing: attribute | summary }
                      }
                      field shout type string { indexing: input text . "!" | summary }
                    }
                    """,
                    SCHEMA,
                    """
                    schema all {
                      document all {
                        struct pair { field a type string {} field b type int {} }
                        field text type string { indexing: index | summary }
                        field word type string { indexing: attribute | summary }
                        field year type int { indexing: attribute | summary }
                        field time type long { indexing: attribute | summary }
                        field small type byte { indexing: attribute | summary }
                        field ratio type float { indexing: attribute | summary }
                        field weight type double { indexing: attribute | summary }
                        field good type bool { indexing: attribute | summary }
                        field tags type array<string> { indexing: attribute | summary }
                        field years type array<int> { indexing: attribute | summary }
                        field vector type tensor<float>(x[3]) {
                          indexing: attribute | summary
                          attribute { distance-metric: angular }
                        }
                        field exact type tensor<double>(x[2],y[2]) { indexing: attribute | summary }
                        field half type tensor<bfloat16>(x[4]) { indexing: attribute | summary }
                        field bits type tensor<int8>(x[4]) { indexing: attribute | summary }
                        field sparse type tensor<float>(k{}) { indexing: attribute | summary }
                        field wide type tensor<float>(k{},x[4]) { indexing: attribute | summary }
                        field counts type weightedset<string> { indexing: attribute | summary }
                        field numbers type weightedset<int> { indexing: attribute | summary }
                        field both type pair { indexing: summary }
                        field all_pairs type array<pair> { indexing: summary }
                        field pairs type map<string, int> { indexing: summary }
                        field bytes type raw { indexing: summary }
                        field home type uri { indexing: summary }
                        field place type position { indexing: attribute | summary }
                      }
                      fieldset default { fields: text, word }
                      document-summary short { summary text {} }
                      rank-profile near {
                        inputs {
                          query(q) tensor<float>(x[3])
                          query(tokens) tensor<float>(k{},x[4])
                          query(sparse) tensor<float>(k{})
                          query(n) double
                        }
                        first-phase { expression: closeness(field, vector) + query(n) }
                      }
                    }
                    """,
                    "search/query-profiles/default.xml",
                    """
                    <query-profile id="default">
                      <field name="hits">7</field>
                      <field name="named">%{query} and more</field>
                    </query-profile>
                    """);

    private static final ApplicationModel MODEL =
            ApplicationCompiler.compile(new MemoryFiles(new TreeMap<>(FILES)), 1).model();

    private FuzzedApplication() {}

    /** Returns the model of the application. */
    public static ApplicationModel model() {
        return MODEL;
    }

    /** Returns the schema {@code all}, which has a field of every type. */
    public static Schema schema() {
        return Objects.requireNonNull(MODEL.schemas().get("all"));
    }

    /** Returns the document type {@code all}. */
    public static DocumentType type() {
        return schema().documentType();
    }

    /**
     * Returns the document type of a schema.
     *
     * @param schema its name is {@code made}
     */
    public static DocumentType made(String schema) {
        return Objects.requireNonNull(
                        ApplicationCompiler.compile(with("schemas/made.sd", schema), 1)
                                .model()
                                .schemas()
                                .get("made"))
                .documentType();
    }

    /** Returns the files of the application with {@code text} as the file at {@code path}. */
    static ApplicationFiles with(String path, String text) {
        var files = new TreeMap<>(FILES);
        files.put(path, text);
        return new MemoryFiles(files);
    }

    private record MemoryFiles(TreeMap<String, String> texts) implements ApplicationFiles {
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
}
