package org.crabro.client.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import org.crabro.client.deploy.StampedSchema.Kind;
import org.junit.jupiter.api.Test;

class StampedSchemaTest {
    private static final String BODY = "schema a {\n  document a {\n  }\n}\n";

    @Test
    void recognizesATextThatNobodyHasEdited() {
        StampedSchema schema = StampedSchema.guessed(BODY);

        assertThat(schema.body()).isEqualTo(BODY);
        assertThat(schema.kind()).isEqualTo(Kind.GUESSED);
        assertThat(new StampedSchema(schema.text().stripTrailing()).kind()).isEqualTo(Kind.GUESSED);
        assertThat(schema.deployed()).isEqualTo(schema);
    }

    @Test
    void recognizesAnEditedText() {
        String stamped = StampedSchema.guessed(BODY).text();
        var edited = new StampedSchema(stamped.replace("document a", "document b"));

        assertThat(edited.kind()).isEqualTo(Kind.EDITED);
        assertThat(new StampedSchema(BODY).kind()).isEqualTo(Kind.EDITED);
        assertThat(new StampedSchema("").kind()).isEqualTo(Kind.EDITED);
        assertThat(new StampedSchema(stamped.replace("guessed", "deployed")).kind())
                .isEqualTo(Kind.EDITED);
    }

    @Test
    void stampsAnEditedTextWhenItIsDeployed() {
        StampedSchema deployed = new StampedSchema(BODY).deployed();

        assertThat(deployed.kind()).isEqualTo(Kind.DEPLOYED);
        assertThat(deployed.body()).isEqualTo(BODY);
        assertThat(deployed.deployed()).isEqualTo(deployed);
    }
}
