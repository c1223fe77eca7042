package org.crabro.container.visit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import org.crabro.container.document.InvalidRequestException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AcceptedFormTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    */*                                                  | JSON
                    application/*                                        | JSON
                    text/html                                            | JSON
                    text/html, application/jsonl                         | LINES
                    application/json, application/jsonl                  | LINES
                    application/json, Application/JSONL ; v=1            | LINES
                    application/json;q=0.9, application/jsonl;q=0.8      | JSON
                    application/json;q=0.8, application/jsonl;q=0.9      | LINES
                    application/jsonl;q=0                                | JSON
                    application/jsonl;q=0.2, */*;q=0.1                   | LINES
                    application/jsonl;q=0.2, */*;q=0.3                   | JSON
                    application/jsonl;q=0.2, */*, application/json;q=0.1 | LINES
                    application/jsonl;q=0.2, */*, application/*;q=0.1    | LINES
                    application/cbor                                     | CBOR
                    application/cbor, application/json;q=0.9             | CBOR
                    application/cbor, application/json                   | CBOR
                    application/json, application/cbor                   | JSON
                    application/cbor, application/jsonl                  | LINES
                    application/cbor, application/jsonl;q=0.5            | CBOR
                    application/cbor;q=0, application/json;q=0           | JSON
                    application/cbor, */*                                | CBOR
                    */*, application/cbor;q=0.9                          | JSON
                    application/cbor-seq, application/cbor               | CBOR_SEQUENCE
                    application/cbor, application/cbor-seq               | CBOR_SEQUENCE
                    application/jsonl, application/cbor-seq              | LINES
                    """)
    void isWhatIsMostWelcome(String accept, AcceptedForm form) {
        assertThat(AcceptedForm.of(List.of(accept))).isEqualTo(form);
    }

    @Test
    void isJsonWhereNothingIsSaid() {
        assertThat(AcceptedForm.of(List.of())).isEqualTo(AcceptedForm.JSON);
        assertThat(AcceptedForm.of(List.of(" "))).isEqualTo(AcceptedForm.JSON);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "application",
                "application/",
                "/json",
                "a/b/c",
                "application/json,",
                "application/json;q",
                "application/json;=1",
                "application/json;q=high",
                "application/json;q=2",
                "application/json;q=NaN"
            })
    void refusesWhatIsNoType(String accept) {
        assertThatExceptionOfType(InvalidRequestException.class)
                .isThrownBy(() -> AcceptedForm.of(List.of(accept)))
                .withMessageContaining("the header Accept has '");
    }
}
