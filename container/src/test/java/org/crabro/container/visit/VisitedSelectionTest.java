package org.crabro.container.visit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Map;
import java.util.Optional;
import org.crabro.container.document.DocumentPath;
import org.crabro.container.document.InvalidRequestException;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;
import org.crabro.document.LocationKey;
import org.crabro.document.select.SelectedDocument;
import org.crabro.document.select.Selection;
import org.crabro.document.select.SelectionTypes;
import org.crabro.document.select.Truth;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The selection of a request and that of its path hold together. */
class VisitedSelectionTest {
    private static final SelectionTypes TYPES = SelectionTypes.of(VisitedApplication.types());
    private static final DocumentPath.Range ANN =
            new DocumentPath.Range("ns", "music", new LocationKey.Group("a'n\\n"));
    private static final String OF_ANN = "id:ns:music:g=a'n\\n:1";
    private static final String OF_BOB = "id:ns:music:g=bob:1";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "true) or (true",
                "true) or id.group == 'bob' or (true",
                "true or",
                ") or (",
                "true)",
                "(true",
                "id.group == '"
            })
    void rejectsATextThatClosesTheParenthesesOfAnother(String text) {
        assertThatExceptionOfType(InvalidRequestException.class)
                .isThrownBy(() -> VisitedSelection.of(Optional.of(text), ANN, TYPES))
                .withMessageContaining("the selection cannot be used: ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    true                         | true  | false
                    true or true                 | true  | false
                    not false                    | true  | false
                    id.group == 'bob' or true    | true  | false
                    id.group == 'bob'            | false | false
                    false or false               | false | false
                    """)
    void selectsDocumentsOfThePathAlone(String text, boolean ofAnn, boolean ofBob) {
        Selection selection = VisitedSelection.of(Optional.of(text), ANN, TYPES);

        assertThat(isSelected(selection, OF_ANN)).isEqualTo(ofAnn);
        assertThat(isSelected(selection, OF_BOB)).isEqualTo(ofBob);
    }

    @Test
    void selectsDocumentsOfOtherNamespaces() {
        Selection others = VisitedSelection.others(ANN, TYPES);

        assertThat(isSelected(others, OF_ANN)).isFalse();
        assertThat(isSelected(others, OF_BOB)).isFalse();
        assertThat(isSelected(others, OF_ANN.replace("ns", "other"))).isTrue();
        assertThat(isSelected(others, OF_BOB.replace("ns", "other"))).isFalse();
    }

    private static boolean isSelected(Selection selection, String id) {
        var document = new Document(DocumentId.parse(id), Map.of());
        boolean isSelected = selection.of(SelectedDocument.of(document), 1) == Truth.TRUE;
        // Nodes parse the text.
        assertThat(
                        Selection.parseConjunction(selection.toString(), TYPES)
                                        .of(SelectedDocument.of(document), 1)
                                == Truth.TRUE)
                .isEqualTo(isSelected);
        return isSelected;
    }
}
