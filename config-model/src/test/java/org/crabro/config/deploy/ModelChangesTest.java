package org.crabro.config.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import org.crabro.config.application.MapFiles;
import org.crabro.config.deploy.ModelChanges.Danger;
import org.junit.jupiter.api.Test;

class ModelChangesTest {
    private static final LocalDate TODAY = LocalDate.of(2026, 11, 20);

    private static final String TEXT = "field text type string { indexing: index | summary }";
    private static final String SHORT =
            "field short type string { indexing: input text | attribute }";

    @Test
    void nothingIsToldOfWhatIsLive() {
        var changes =
                ModelChanges.between(
                        model("index", TEXT + "\nfield old type int {}", ""),
                        model(
                                "index",
                                TEXT.replace("| summary", "") + "\nfield new type int {}",
                                ""));

        assertThat(changes.dangers()).isEmpty();
        assertThat(changes.reindex()).isEmpty();
        assertThat(changes.warnings())
                .containsExactly(
                        "cluster 'store': document type 'note': field 'old' is gone: stored"
                                + " documents keep its values until they are written again, and"
                                + " nothing shows them unless the field comes back with type int");
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
    void membersOfStructsMayComeAndGoButNotChange() {
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
        assertThat(other.dangers())
                .extracting(Danger::message)
                .containsExactlyInAnyOrder(
                        "cluster 'store': document type 'note': field 'a.age' changed: type int to"
                                + " string",
                        "cluster 'store': document type 'note': field 'b.age' changed: type int to"
                                + " string");
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
    void tellsHowToAllowWhatIsRefused() {
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
        return new ValidationOverrides(
                List.of(
                        new ValidationOverrides.Allow(
                                ValidationId.FIELD_TYPE_CHANGE,
                                LocalDate.parse(until),
                                "here",
                                "")));
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
    void tellsOfTypesThatAreGone() {
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

    private static ApplicationModel model(String mode, String inDocument, String outside) {
        String services =
                """
                <content id="store" version="1.0">
                  <redundancy>1</redundancy>
                  <documents><document type="note" mode="%s"/></documents>
                </content>
                """
                        .formatted(mode);
        String schema = "schema note {\ndocument note {\n" + inDocument + "\n}\n" + outside + "\n}";
        return ApplicationCompiler.compile(
                        new MapFiles(Map.of("services.xml", services, "schemas/note.sd", schema)),
                        1)
                .model();
    }
}
