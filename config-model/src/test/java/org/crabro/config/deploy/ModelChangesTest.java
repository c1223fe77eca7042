package org.crabro.config.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.crabro.config.application.MapFiles;
import org.crabro.config.deploy.ModelChanges.Danger;
import org.junit.jupiter.api.Test;

class ModelChangesTest {
    private static final LocalDate TODAY = LocalDate.of(2026, 11, 20);

    private static final String SERVICES =
            """
            <content id="store" version="1.0">
              <redundancy>1</redundancy>
              <documents><document type="%s" mode="%s"/></documents>
            </content>
            """;
    private static final String TEXT = "field text type string { indexing: index | summary }";
    private static final String SHORT =
            "field short type string { indexing: input text | attribute }";

    @Test
    void nothingIsToldOfWhatIsLive() {
        var changes =
                ModelChanges.between(
                        model("index", TEXT, SHORT),
                        model(
                                "index",
                                TEXT.replace("| summary", "") + "\nfield new type int {}",
                                ""));

        assertThat(changes).isEqualTo(ModelChanges.NONE);
    }

    @Test
    void aRemovedFieldNeedsNoOverrideAndHasAWarning() {
        ApplicationModel before = model("index", TEXT + "\nfield old type int {}", "");
        var gone = ModelChanges.between(before, model("index", TEXT, ""));
        var computed =
                ModelChanges.between(
                        before,
                        model("index", TEXT, "field old type int { indexing: 1 | attribute }"));

        assertThat(gone.dangers()).isEmpty();
        assertThat(gone.removals())
                .extracting(removal -> removal.warning(OptionalLong.of(12)))
                .containsExactly(
                        "cluster 'store': document type 'note': field 'old' of type int was removed;"
                                + " about 12 documents have it; the next merges delete its values,"
                                + " and until then the former package shows those that are left");
        assertThat(computed.dangers()).isEmpty();
        assertThat(computed.removals())
                .extracting(removal -> removal.warning(OptionalLong.empty()))
                .containsExactly(
                        "cluster 'store': document type 'note': field 'old' of type int is computed"
                                + " now; documents may have it; the script replaces the values that"
                                + " were fed");
    }

    @Test
    void nothingIsLostWhereNothingIsStored() {
        ApplicationModel before = model("index", TEXT, "");
        ApplicationModel after =
                ApplicationCompiler.compile(
                                new MapFiles(
                                        Map.of(
                                                "services.xml",
                                                SERVICES.formatted("page", "index"),
                                                "schemas/page.sd",
                                                "schema page { document page {} }")),
                                2)
                        .model();

        var changes = ModelChanges.between(before, after);

        assertThat(changes.typesToBeEmpty(overrides("2026-11-20"), TODAY))
                .containsExactly(new ModelChanges.Stored("store", "note"));
        assertThat(changes.typesToBeEmpty(allowing(ValidationId.SCHEMA_REMOVAL), TODAY)).isEmpty();
        assertThat(changes.without(Set.of(new ModelChanges.Stored("store", "other"))))
                .isEqualTo(changes);
        assertThat(changes.without(Set.of(new ModelChanges.Stored("store", "note"))).dangers())
                .isEmpty();
    }

    @Test
    void aTypeCannotChange() {
        var changes =
                ModelChanges.between(
                        model("index", "field a type int {}", ""),
                        model("index", "field a type array<string> {}", ""));

        assertThat(changes.dangers())
                .containsExactly(
                        new Danger(
                                ValidationId.FIELD_TYPE_CHANGE,
                                "store",
                                "note",
                                "cluster 'store': document type 'note': field 'a' changed: type int"
                                        + " to array<string>"));
    }

    @Test
    void membersOfStructsComeAndGoButDoNotChange() {
        String with = "struct p { %s }\nfield a type map<string, p> {}\nfield b type array<p> {}";
        ApplicationModel before =
                model(
                        "index",
                        with.formatted("field name type string {}\nfield age type int {}"),
                        "");

        var more =
                ModelChanges.between(
                        before,
                        model(
                                "index",
                                with.formatted(
                                        "field born type long {}\nfield age type int {}\n"
                                                + "field name type string {}"),
                                ""));
        var less =
                ModelChanges.between(
                        before, model("index", with.formatted("field name type string {}"), ""));
        var other =
                ModelChanges.between(
                        before, model("index", with.formatted("field age type string {}"), ""));

        assertThat(more.dangers()).isEmpty();
        assertThat(less.dangers()).isEmpty();
        assertThat(less.removals())
                .extracting(removal -> removal.warning(OptionalLong.of(1)))
                .containsExactly(member("a.age"), member("b.age"));
        assertThat(other.dangers())
                .filteredOn(danger -> danger.id() == ValidationId.FIELD_TYPE_CHANGE)
                .extracting(Danger::message)
                .containsExactlyInAnyOrder(
                        "cluster 'store': document type 'note': field 'a.age' changed: type int to"
                                + " string",
                        "cluster 'store': document type 'note': field 'b.age' changed: type int to"
                                + " string");
    }

    private static String member(String path) {
        return "cluster 'store': document type 'note': field '"
                + path
                + "' of type int was removed; about 1 documents have it; the next write of a document"
                + " deletes its value";
    }

    @Test
    void aModeCannotChange() {
        var changes = ModelChanges.between(model("index", TEXT, ""), model("store-only", TEXT, ""));

        assertThat(changes.dangers())
                .containsExactly(
                        new Danger(
                                ValidationId.INDEXING_MODE_CHANGE,
                                "store",
                                "note",
                                "cluster 'store': document type 'note' changed: mode index to"
                                        + " store-only"));
    }

    @Test
    void namesTheOverrideThatAllowsARefusedChange() {
        var changes =
                ModelChanges.between(
                        model("index", "field a type int {}\nfield b type int {}", ""),
                        model("index", "field a type long {}\nfield b type bool {}", ""));

        assertThat(changes.refusals(overrides("2026-11-19"), TODAY))
                .containsExactly(
                        "field-type-change: the type of a field changes, and stored documents keep"
                                + " values of the old one: cluster 'store': document type 'note':"
                                + " field 'a' changed: type int to long; cluster 'store': document"
                                + " type 'note': field 'b' changed: type int to bool; to allow it,"
                                + " add <allow until=\"2026-11-21\">field-type-change</allow> to"
                                + " validation-overrides.xml");
        assertThat(changes.refusals(overrides("2026-11-20"), TODAY)).isEmpty();
    }

    private static ValidationOverrides overrides(String until) {
        return allowing(ValidationId.FIELD_TYPE_CHANGE, LocalDate.parse(until));
    }

    private static ValidationOverrides allowing(ValidationId id) {
        return allowing(id, TODAY);
    }

    private static ValidationOverrides allowing(ValidationId id, LocalDate until) {
        return new ValidationOverrides(
                List.of(new ValidationOverrides.Allow(id, until, "here", "")));
    }

    @Test
    void whatIsComputedOtherwiseIsStale() {
        var added = ModelChanges.between(model("index", TEXT, ""), model("index", TEXT, SHORT));
        var other =
                ModelChanges.between(
                        model("index", TEXT, SHORT),
                        model("index", TEXT, SHORT.replace("text |", "text . \"!\" |")));
        var output =
                ModelChanges.between(
                        model("index", TEXT, SHORT),
                        model("index", TEXT, SHORT.replace("attribute", "summary")));

        assertThat(added.reindex())
                .containsExactly(
                        new ModelChanges.Reindex(
                                "store",
                                "note",
                                List.of("Document type 'note': field 'short' added")));
        assertThat(other.reindex())
                .containsExactly(
                        new ModelChanges.Reindex(
                                "store",
                                "note",
                                List.of(
                                        "Document type 'note': field 'short' changed: indexing"
                                                + " script")));
        assertThat(output.reindex()).isEmpty();
    }

    @Test
    void reportsRemovedTypes() {
        ApplicationModel before = model("index", TEXT, "");
        ApplicationModel after =
                ApplicationCompiler.compile(
                                new MapFiles(Map.of("services.xml", "<container version='1.0'/>")),
                                2)
                        .model();

        assertThat(ModelChanges.between(before, after).dangers())
                .containsExactly(
                        new Danger(
                                ValidationId.CONTENT_CLUSTER_REMOVAL,
                                "store",
                                "",
                                "content cluster 'store' is gone"),
                        new Danger(
                                ValidationId.SCHEMA_REMOVAL,
                                "store",
                                "note",
                                "document type 'note' is gone: its documents stay stored, but are"
                                        + " not reached until it is deployed again"));
    }

    @Test
    void aCopyOfATypeThatIsGoneNeedsAnOverride() {
        ApplicationModel both = clusters("a", "b");

        assertThat(ModelChanges.between(clusters("a"), both)).isEqualTo(ModelChanges.NONE);
        assertThat(ModelChanges.between(clusters("a"), clusters("b")).dangers())
                .as("the other cluster takes the documents over")
                .extracting(Danger::id)
                .containsExactly(ValidationId.CONTENT_CLUSTER_REMOVAL);
        assertThat(ModelChanges.between(both, clusters("b")).dangers())
                .containsExactly(
                        new Danger(
                                ValidationId.CONTENT_CLUSTER_REMOVAL,
                                "a",
                                "",
                                "content cluster 'a' is gone"));
        assertThat(ModelChanges.between(both, clusters("b", "a-without")).dangers())
                .containsExactly(
                        new Danger(
                                ValidationId.SCHEMA_REMOVAL,
                                "a",
                                "note",
                                "document type 'note' is gone from content cluster 'a': the documents of this cluster stay stored, but are not reached until the cluster has the type again"));
    }

    @Test
    void everyCopyOfATypeChanges() {
        ApplicationModel before = clusters("a", "b");
        ApplicationModel after =
                compiled(services("a", "b"), NOTE.replace("type int", "type string"));

        assertThat(ModelChanges.between(before, after).dangers())
                .extracting(Danger::cluster)
                .containsExactly("a", "b");
    }

    private static final String NOTE = "schema note { document note { field a type int {} } }";

    /** Returns clusters with notes; a name with {@code -without} has another type. */
    private static ApplicationModel clusters(String... names) {
        return compiled(services(names), NOTE);
    }

    private static String services(String... names) {
        var services = new StringBuilder("<services version='1.0'>");
        for (String name : names) {
            services.append(
                    """
                    <content id="%s" version="1.0">
                      <redundancy>1</redundancy>
                      <documents><document type="%s" mode="index"/></documents>
                    </content>
                    """
                            .formatted(
                                    name.replace("-without", ""),
                                    name.endsWith("-without") ? "other" : "note"));
        }
        return services.append("</services>").toString();
    }

    private static ApplicationModel compiled(String services, String schema) {
        return ApplicationCompiler.compile(
                        new MapFiles(
                                Map.of(
                                        "services.xml",
                                        services,
                                        "schemas/note.sd",
                                        schema,
                                        "schemas/other.sd",
                                        NOTE.replace("note", "other"))),
                        1)
                .model();
    }

    private static ApplicationModel model(String mode, String inDocument, String outside) {
        String services = SERVICES.formatted("note", mode);
        String schema = "schema note {\ndocument note {\n" + inDocument + "\n}\n" + outside + "\n}";
        return ApplicationCompiler.compile(
                        new MapFiles(Map.of("services.xml", services, "schemas/note.sd", schema)),
                        1)
                .model();
    }
}
