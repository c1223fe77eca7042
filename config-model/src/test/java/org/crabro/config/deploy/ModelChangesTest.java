package org.crabro.config.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.crabro.config.application.MapFiles;
import org.junit.jupiter.api.Test;

class ModelChangesTest {
    private static final String TEXT = "field text type string { indexing: index | summary }";
    private static final String SHORT =
            "field short type string { indexing: input text | attribute }";

    @Test
    void nothingIsToldOfWhatIsLive() {
        var changes =
                ModelChanges.between(
                        model("index", TEXT + "\nfield old type int {}", ""),
                        model(
                                "streaming",
                                TEXT.replace("| summary", "") + "\nfield new type int {}",
                                ""));

        assertThat(changes).isEqualTo(new ModelChanges(List.of(), List.of(), List.of()));
    }

    @Test
    void aTypeCannotChange() {
        var changes =
                ModelChanges.between(
                        model("index", "field a type int {}", ""),
                        model("index", "field a type array<string> {}", ""));

        assertThat(changes.problems())
                .containsExactly(
                        "field-type-change: cluster 'store': document type 'note': field 'a'"
                                + " changed: type int to array<string>; stored documents hold the"
                                + " old type: remove the field in one deployment and feed it under"
                                + " a new name");
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

        assertThat(ModelChanges.between(before, after).warnings())
                .containsExactly(
                        "document type 'note' is gone: its documents stay stored, but are not"
                                + " reached until it is deployed again");
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
