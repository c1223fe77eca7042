package org.crabro.container.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestPathTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    /                                     | /
                    /search/                              | /search/
                    /search                               | /search
                    /%73earch/                            | /search/
                    /state/v1/                            | /state/v1/
                    /a.b/.hidden/x..y/...                 | /a.b/.hidden/x..y/...
                    /content/a+b%20c                      | /content/a+b c
                    /content/caf%C3%A9                    | /content/café
                    /content/café                         | /content/café
                    /content/100%25                       | /content/100%
                    /content/100%2525                     | /content/100%25
                    /content/%EF%BF%BD                    | /content/\uFFFD
                    /model/a:b@c!d,e=f~g(h)*              | /model/a:b@c!d,e=f~g(h)*
                    """)
    void decodesASegmentOnce(String raw, String text) {
        RequestPath path = RequestPath.parse(raw);

        assertThat(path.text()).isEqualTo(text.replace("\\uFFFD", "\uFFFD"));
        assertThat(path.raw()).isEqualTo(raw);
        assertThat(path.documents()).isEmpty();
        assertThat(path.opaque()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    /console/../crabro/v1/backup          | may not be '..'
                    /console/./x                          | may not be '.'
                    /x/..                                 | may not be '..'
                    /x/.                                  | may not be '.'
                    /console/%2e%2e/x                     | may not be '..'
                    /console/%2E./x                       | may not be '..'
                    /console/.%2e/x                       | may not be '..'
                    /console/.;/..                        | may not be '.
                    /console/..;a=b/x                     | may not be '..;a=b'
                    /console/%252e%252e/x                 | dots that are encoded twice
                    /console/%25252e./x                   | dots that are encoded twice
                    /console/a%2Fb                        | contains '/'
                    /console/a%252fb                      | contains '/'
                    /console/a%5cb                        | contains '\\'
                    /console/a\\b                         | contains '\\'
                    /console/a%255Cb                      | contains '\\'
                    /console;x=y/b                        | contains ';'
                    /console/a%3bb                        | contains ';'
                    /console/a%253Bb                      | contains ';'
                    //console/                            | may not be ''
                    /console//x                           | may not be ''
                    /console/x//                          | may not be ''
                    //                                    | may not be ''
                    /console/a%00b                        | contains NUL
                    /console/a%2500b                      | control character U+0000
                    /console/a%0Ab                        | control character U+000A
                    /console/a%7f                         | control character U+007F
                    /console/%                            | has a '%' that two
                    /console/%4                           | has a '%' that two
                    /console/%zz                          | has a '%' that two
                    /console/%u002e                       | has a '%' that two
                    /console/%c0%ae%c0%ae/x               | does not decode to UTF-8
                    /console/%c0%af                       | does not decode to UTF-8
                    /console/%ff                          | does not decode to UTF-8
                    /console/%ed%a0%80                    | does not decode to UTF-8
                    console                               | must begin with a slash
                    *                                     | must begin with a slash
                    """)
    void rejectsAPathThatIsNotCanonical(String raw, String problem) {
        assertThatExceptionOfType(NotCanonicalException.class)
                .isThrownBy(() -> RequestPath.parse(raw.replace("\\\\", "\\")))
                .withMessageContaining(problem.replace("\\\\", "\\"));
    }

    @Test
    void rejectsCharactersThatWereNotEncoded() {
        for (String raw : new String[] {"/a\u0000", "/a\nb", "/a\u007f", "/\uFFFD", "/\ud800"}) {
            assertThatExceptionOfType(NotCanonicalException.class)
                    .isThrownBy(() -> RequestPath.parse(raw))
                    .withMessageContaining("not UTF-8");
        }
    }

    /** The text keeps slashes and percent signs of ids apart from those of the path. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    /document/v1                             | /document/v1                       | /document/v1
                    /document/v1/                            | /document/v1/                      | /document/v1/
                    /document/v1/n/t/docid/a                 | /document/v1/n/t/docid/a           | /document/v1/n/t/docid/a
                    /document/v1/n/t/docid/a%2Fb             | /document/v1/n/t/docid/a%2Fb       | /document/v1/n/t/docid/a%2Fb
                    /document/v1/n/t/docid/a%252Fb           | /document/v1/n/t/docid/a%252Fb     | /document/v1/n/t/docid/a%252Fb
                    /document/v1/n/t/docid/a;b               | /document/v1/n/t/docid/a;b         | /document/v1/n/t/docid/a;b
                    /document/v1/n/t/docid/a%3Bb             | /document/v1/n/t/docid/a;b         | /document/v1/n/t/docid/a%3Bb
                    /document/v1/n/t/docid/a+b               | /document/v1/n/t/docid/a b         | /document/v1/n/t/docid/a+b
                    /document/v1/n/t/docid/..%2F..           | /document/v1/n/t/docid/..%2F..     | /document/v1/n/t/docid/..%2F..
                    /document/v1/n/t/group/a%2Fb/x//         | /document/v1/n/t/group/a%2Fb/x//   | /document/v1/n/t/group/a%2Fb/x//
                    /mine/document/v1/n/t/docid/a%5Cb        | /mine/document/v1/n/t/docid/a\\b   | /document/v1/n/t/docid/a%5Cb
                    /doc%75ment/v1/n/t/docid/a%0Ab           | /document/v1/n/t/docid/a\\nb       | /document/v1/n/t/docid/a%0Ab
                    /document/v1/document/v1/x               | /document/v1/document/v1/x         | /document/v1/document/v1/x
                    """)
    void keepsIdsOfDocumentsAsTheyWereSent(String raw, String text, String documents) {
        RequestPath path = RequestPath.parse(raw);

        assertThat(path.text()).isEqualTo(text.replace("\\\\", "\\").replace("\\n", "\n"));
        assertThat(path.documents().orElseThrow().path()).isEqualTo(documents);
        assertThat(path.documents().orElseThrow().root())
                .isEqualTo(raw.startsWith("/mine/") ? "/mine" : "");
        assertThat(path.decoded()).isEqualTo(path.text().replace("%2F", "/").replace("%25", "%"));
        assertThat(path.raw()).isEqualTo(raw);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/document/v1/n/t/docid/..",
                "/document/v1/../../search/",
                "/document/v1/n/t/docid/%2e%2e",
                "/document/v1/n/t/docid/..;x/y",
                "/document/v1/n//docid/a",
                "/document/v1/n/t/docid/a%00",
                "/document/v1/n/t/docid/%",
                "/document/v1/n/t/docid/%c0%ae",
                "/document//v1/n/t/docid/a%2Fb",
                "/document;x/v1/n/t/docid/a",
                "/x%2Fdocument/v1/n/t/docid/a",
                "/documents/v1/n/t/docid/a%2Fb",
            })
    void rejectsIdsThatLeaveTheirPlace(String raw) {
        assertThatExceptionOfType(NotCanonicalException.class)
                .isThrownBy(() -> RequestPath.parse(raw));
    }

    @ParameterizedTest
    @CsvSource({
        "/document/v1/n/t/docid/a%2Fb,true",
        "/document/v1/n/t/docid/a;b,true",
        "/document/v1/n/t/docid/a%5Cb,true",
        "/document/v1/n/t/docid/a%252Fb,true",
        "/document/v1/n/t/docid/a%20b,false",
        "/document/v1/n/t/docid/a%25b,false",
        "/application/v2/tenant/x/document/v1/a%2Fb,true",
    })
    void knowsWhichPathsOnlyDocumentsMayHave(String raw, boolean isOpaque) {
        assertThat(RequestPath.parse(raw).opaque().isPresent()).isEqualTo(isOpaque);
    }
}
