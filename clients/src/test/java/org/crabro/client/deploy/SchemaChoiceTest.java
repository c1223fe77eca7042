package org.crabro.client.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.crabro.client.deploy.SchemaChoice.Origin;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SchemaChoiceTest {
    private static final StampedSchema DATA = StampedSchema.guessed("schema {\n  field a\n}\n");
    private static final StampedSchema MORE =
            StampedSchema.guessed("schema {\n  field a\n  field b\n}\n");
    private static final StampedSchema OTHER = StampedSchema.guessed("schema {\n  field x\n}\n");
    private static final StampedSchema EDITED = new StampedSchema("schema {\n  field c\n}\n");
    private static final StampedSchema TWICE = new StampedSchema("schema {\n  field d\n}\n");

    private static Optional<StampedSchema> named(String name) {
        return switch (name) {
            case "data" -> Optional.of(DATA);
            case "more" -> Optional.of(MORE);
            case "other" -> Optional.of(OTHER);
            case "edited" -> Optional.of(EDITED);
            case "twice" -> Optional.of(TWICE);
            case "deployed" -> Optional.of(EDITED.deployed());
            default -> Optional.empty();
        };
    }

    @ParameterizedTest(name = "package {0}, deployed {1}")
    @CsvSource({
        "none,   none,     data,     DATA",
        "data,   none,     data,     PACKAGE",
        "none,   data,     data,     DEPLOYED",
        "other,  other,    other,    PACKAGE",
        // The loop of edits and imports.
        "edited, none,     edited,   PACKAGE",
        "edited, data,     edited,   PACKAGE",
        "twice,  deployed, twice,    PACKAGE",
        "edited, edited,   edited,   PACKAGE",
        // The server has an edited schema.
        "none,   edited,   edited,   DEPLOYED",
        "data,   edited,   edited,   DEPLOYED",
        "twice,  edited,   edited,   CONFLICT",
    })
    void choosesTheEditedSchema(String local, String deployed, String chosen, Origin origin) {
        SchemaChoice choice = SchemaChoice.of(DATA, named(local), named(deployed));

        assertThat(choice.origin()).isEqualTo(origin);
        assertThat(choice.schema()).isEqualTo(named(chosen).orElseThrow());
    }

    @Test
    void addsFieldsToASchemaThatNobodyHasEdited() {
        SchemaChoice choice = SchemaChoice.of(MORE, named("data"), named("data"));

        assertThat(choice.origin()).isEqualTo(Origin.EXTENDED);
        assertThat(choice.difference())
                .containsExactly(" schema {", "   field a", "+  field b", " }");
        assertThat(SchemaChoice.of(MORE, named("edited"), named("data")).origin())
                .isEqualTo(Origin.PACKAGE);
        assertThat(SchemaChoice.of(DATA, named("more"), named("more")).origin())
                .isEqualTo(Origin.PACKAGE);
    }

    @Test
    void printsTheDifferenceOfAReplacement() {
        SchemaChoice choice = SchemaChoice.replacing(DATA, named("edited"), named("deployed"));

        assertThat(choice.origin()).isEqualTo(Origin.REPLACED);
        assertThat(choice.schema()).isEqualTo(DATA);
        assertThat(choice.difference())
                .containsExactly(" schema {", "-  field c", "+  field a", " }");
        assertThat(SchemaChoice.replacing(DATA, named("data"), named("edited")).difference())
                .contains("-  field c");
        assertThat(SchemaChoice.replacing(DATA, named("none"), named("none")).difference())
                .isEmpty();
    }
}
