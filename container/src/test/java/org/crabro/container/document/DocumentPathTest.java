package org.crabro.container.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.crabro.document.InvalidDocumentException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DocumentPathTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    /document/v1/ns/t/docid/u         | id:ns:t::u
                    /document/v1/ns/t/docid/u/        | id:ns:t::u
                    /document/v1/ns/t/docid/u//       | id:ns:t::u
                    /document/v1/ns/t/docid/a/b/c     | id:ns:t::a/b/c
                    /document/v1/ns/t/docid/a%2Fb%2F%2Fc | id:ns:t::a/b//c
                    /document/v1/ns/t/docid/a+b%2Bc%20d | id:ns:t::a b+c d
                    /document/v1/ns/t/docid/%C3%A4%F0%9F%98%80 | id:ns:t::ä😀
                    /document/v1/ns/t/docid/a%25b     | id:ns:t::a%b
                    /document/v1/ns/t/docid/a:b;c=d   | id:ns:t::a:b;c=d
                    /document/v1/ns/t/docid/docid     | id:ns:t::docid
                    /document/v1/n%73/t/docid/...     | id:ns:t::...
                    /document/v1/ns/t/group/a+group/u | id:ns:t:g=a group:u
                    /document/v1/ns/t/group/a%2Fb/u/v | id:ns:t:g=a/b:u/v
                    /document/v1/ns/t/number/7/u      | id:ns:t:n=7:u
                    /document/v1/ns/t/number/9223372036854775808/u | id:ns:t:n=9223372036854775808:u
                    """)
    void namesOneDocument(String path, String id) {
        assertThat(DocumentPath.parse(path))
                .hasValueSatisfying(parsed ->
                        assertThat(parsed)
                                .isInstanceOfSatisfying(
                                        DocumentPath.One.class,
                                        one -> assertThat(one.id()).hasToString(id)));
    }

    @ParameterizedTest
    @CsvSource({
        "/document/v1, Root[]",
        "/document/v1/, Root[]",
        "/document/v1//, Root[]",
        "/document/v1/ns/t/docid, 'Range[namespace=ns, documentType=t, key=Plain[]]'",
        "/document/v1/ns/t/docid/, 'Range[namespace=ns, documentType=t, key=Plain[]]'",
        "/document/v1/ns/t/group/g+h/, 'Range[namespace=ns, documentType=t, key=Group[name=g h]]'",
        "/document/v1/ns/t/group, 'Groups[namespace=ns, documentType=t, areNumbers=false]'",
        "/document/v1/ns/t/number/, 'Groups[namespace=ns, documentType=t, areNumbers=true]'",
        "/document/v1/ns/t/number/5, 'Range[namespace=ns, documentType=t, key=Numbered[value=5]]'",
    })
    void namesManyDocuments(String path, String parsed) {
        assertThat(DocumentPath.parse(path))
                .hasValueSatisfying(documentPath -> assertThat(documentPath).hasToString(parsed));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/document/v1/ns",
                "/document/v1/ns/t",
                "/document/v1/ns/t/docids/u",
                "/document/v1/ns/t/groups",
                "/document/v1/group",
                "/document/v1/ns/t/u/v/w",
            })
    void knowsNoOtherPath(String path) {
        assertThat(DocumentPath.parse(path)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    /document/v1/ns/t/docid/a//b | may not be ''
                    /document/v1//t/docid/a | may not be ''
                    /document/v1/ns/t/docid/. | may not be '.'
                    /document/v1/ns/t/docid/../x | may not be '..'
                    /document/v1/ns/t/docid/%2e%2e | may not be '..'
                    /document/v1/ns/t/docid/a% | two hexadecimal digits do not follow
                    /document/v1/ns/t/docid/a%4 | two hexadecimal digits do not follow
                    /document/v1/ns/t/docid/a%zz | two hexadecimal digits do not follow
                    /document/v1/ns/t/docid/%ff | does not decode to UTF-8
                    /document/v1/ns/t/docid/%00 | illegal code point 0x0
                    /document/v1/ns/t/number/x/u | 'x' is not a number
                    /document/v1/ns/t/number/-1/u | '-1' is not a number
                    /document/v1/ns/t/group/a:b/u | group of document id holds a colon
                    /document/v1/a:b/t/docid/u | namespace of document id holds a colon
                    """)
    void saysWhatIsWrong(String path, String problem) {
        assertThatExceptionOfType(InvalidDocumentException.class)
                .isThrownBy(() -> DocumentPath.parse(path))
                .withMessageContaining(problem);
    }
}
