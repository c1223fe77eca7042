package org.crabro.container.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import org.crabro.document.DocumentId;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IdPathTest {
    @ParameterizedTest
    @CsvSource({
        "id:mail:mail::a,            /document/v1/mail/mail/docid/a",
        "id:mail:mail:g=ann:1,       /document/v1/mail/mail/group/ann/1",
        "id:mail:mail:n=7:a/b c?&é,  /document/v1/mail/mail/number/7/a%2Fb%20c%3F%26%C3%A9",
        "id:m s:mail:g=a/b:x+y,      /document/v1/m%20s/mail/group/a%2Fb/x%2By"
    })
    void encodesEachPart(String id, String path) {
        assertThat(IdPath.of(DocumentId.parse(id))).isEqualTo(path);
    }
}
