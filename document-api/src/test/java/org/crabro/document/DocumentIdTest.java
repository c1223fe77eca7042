package org.crabro.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DocumentIdTest {
    @ParameterizedTest
    @CsvSource({
        "id:ns:type::specific, 2067d966823ebdfb79537da1, e97d537966d96720",
        "id:another:type::specific, 2067d9664809eb39a3b72218, e822b7a366d96720",
        "id:ns:type::another, b32d73e53e034c30c58a01ff, eb018ac5e5732db3",
        "id:ns:type:n=100:specific, 64000000dd4c4b431749f95f, ebf9491700000064",
        "id:np:type:n=100:another, 6400000031359e4a70e670a8, e870e67000000064",
        "id:ns:type:n=101:specific, 6500000083f2836ce5883df1, e93d88e500000065",
        "id:ns:type:g=agroup:specific, 3272feb90fe348ef910b064a, ea060b91b9fe7232",
        "id:np:type:g=agroup:another, 3272feb96d53d40047cb4f23, eb4fcb47b9fe7232",
        "id:ns:type:g=another:specific, b32d73e58bd215d1451922cc, e8221945e5732db3",
        "id:mynamespace:mail:g=user123:doc1, 6ad14ba94ab67375ed69d360, e8d369eda94bd16a",
    })
    void hasTheGlobalIdAndTheBucketThatTheWorldKnows(String text, String globalId, String bucket) {
        GlobalId id = DocumentId.parse(text).globalId();

        assertThat(id).hasToString("gid(0x" + globalId + ")");
        assertThat(Long.toHexString(id.bucket())).isEqualTo(bucket);
    }

    @Test
    void locatesByGroupNumberOrUserPartAlone() {
        assertThat(DocumentId.parse("id:a:x:g=user123:1").location())
                .isEqualTo(0x15366e98a94bd16aL)
                .isEqualTo(DocumentId.locationOfGroup("user123"));
        assertThat((int) DocumentId.locationOfGroup("yahoo.com")).isEqualTo(0x9a1acd50);
        assertThat(DocumentId.parse("id:a:x:n=18446744073709551615:1").location()).isEqualTo(-1);
        assertThat(DocumentId.parse("id:a:x::k").location())
                .isEqualTo(DocumentId.parse("id:b:y::k").location())
                .isEqualTo(DocumentId.parse("id:a:x:g=k:anything").location());
    }

    @Test
    void splitsAtTheFirstFourColonsOnly() {
        assertThat(DocumentId.parse("id:a:b::c:d/e"))
                .isEqualTo(new DocumentId("a", "b", new LocationKey.Plain(), "c:d/e"));
        assertThat(DocumentId.parse("id:a:b:g=c=d/e f:g"))
                .isEqualTo(new DocumentId("a", "b", new LocationKey.Group("c=d/e f"), "g"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "id:ns:type::user",
                "id:ns:type:n=0:user",
                "id:ns:type:n=18446744073709551615:user",
                "id:ns:type:g=a group/of=some:user:with:colons",
                "id:ns:type::\u007f\t\r\n \ud83d\ude00\u00e4",
            })
    void writesWhatItRead(String text) {
        assertThat(DocumentId.parse(text)).hasToString(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "id:ns:type:g=one:user",
                "id:ns:type:g=one:user:with:colons",
                "id:ns:type:g=one:",
                "id:ns:type:g=one:\u0000",
                "id:ns:type:g=one",
                "id:ns:type:g=on:user",
                "id:ns:type:g=ones:user",
                "id:ns:type:n=1:user",
                "id:ns:type::user",
                "id:ns:types:g=one:user",
                "id:n:type:g=one:user",
                "id:ns",
                "ID:ns:type:g=one:user",
            })
    void readsTheSameAfterAnotherId(String text) {
        for (String previous : List.of("id:ns:type:g=one:other", "id:ns:type:n=1:other")) {
            assertThat(read(() -> DocumentId.parse(text, DocumentId.parse(previous))))
                    .isEqualTo(read(() -> DocumentId.parse(text)));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "id:ns:type:g=one:a",
                "id:ns:type:n=18446744073709551615:a",
                "id:ns:type::a"
            })
    void replacesTheUserPart(String text) {
        DocumentId id = DocumentId.parse(text);

        assertThat(id.withUser("b:/c")).hasToString(text.substring(0, text.length() - 1) + "b:/c");
        assertThatExceptionOfType(InvalidDocumentException.class).isThrownBy(() -> id.withUser(""));
    }

    /** Returns the id, or the reason for its rejection. */
    private static Object read(Supplier<DocumentId> id) {
        try {
            return id.get();
        } catch (InvalidDocumentException e) {
            return String.valueOf(e.getMessage());
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            textBlock =
                    """
                    doc               | the scheme 'id:' is missing
                    ""                | the scheme 'id:' is missing
                    ID:a:b::c         | unknown scheme 'ID'
                    doc:a:b::c        | unknown scheme 'doc'
                    id:a              | the namespace is missing
                    id:a:b            | the document type is missing
                    id:a:b:c          | the key/value section
                    id::b::c          | namespace of document id must be non-empty
                    id:a:::c          | document type of document id must be non-empty
                    id:a:b::          | empty user part
                    id:a:b:x=1:c      | illegal key 'x'
                    id:a:b:n:c        | illegal key-value pair 'n'
                    id:a:b:n=:c       | location value of key 'n' is empty
                    id:a:b:g=:c       | location value of key 'g' is empty
                    id:a:b:n=abc:c    | 'abc' is not a number
                    id:a:b:n=-1:c     | '-1' is not a number
                    id:a:b:n=+1:c     | '+1' is not a number
                    id:a:b:n=18446744073709551616:c | is not a number
                    id:a:b:n=1,g=x:c  | illegal key combination 'n=1,g=x'
                    id:a:b:g=x,g=y:c  | illegal key combination 'g=x,g=y'
                    id:a:b:g=x,y:c    | illegal key-value pair 'y'
                    """)
    void saysWhatDoesNotFit(String text, String problem) {
        assertThatExceptionOfType(InvalidDocumentException.class)
                .isThrownBy(() -> DocumentId.parse(text))
                .withMessageStartingWith("unparseable document id '" + text + "': ")
                .withMessageContaining(problem);
    }

    @ParameterizedTest
    @ValueSource(
            ints = {0x0, 0x1f, 0xd800, 0xdfff, 0xfdd0, 0xfddf, 0xfffe, 0xffff, 0x1fffe, 0x10fffe})
    void refusesIllegalCodePoints(int codePoint) {
        String text = "id:a:b::c" + Character.toString(codePoint);

        assertThatExceptionOfType(InvalidDocumentException.class)
                .isThrownBy(() -> DocumentId.parse(text))
                .withMessageContaining("illegal code point 0x" + Integer.toHexString(codePoint));
    }

    @ParameterizedTest
    @ValueSource(ints = {0x9, 0x20, 0x7f, 0xd7ff, 0xe000, 0xfdcf, 0xfde0, 0xfffd, 0x10fffd})
    void acceptsLegalCodePoints(int codePoint) {
        String user = Character.toString(codePoint);

        assertThat(DocumentId.parse("id:a:b::" + user).user()).isEqualTo(user);
    }

    @Test
    void limitsItsLength() {
        String longest = "x".repeat(65_536 - "id:a:b::".length());

        assertThat(DocumentId.parse("id:a:b::" + longest).user()).isEqualTo(longest);
        assertThatExceptionOfType(InvalidDocumentException.class)
                .isThrownBy(() -> DocumentId.parse("id:a:b::x" + longest))
                .withMessageContaining("65537 characters, at most 65536")
                .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(500));
        assertThatExceptionOfType(InvalidDocumentException.class)
                .isThrownBy(() -> DocumentId.parse("id:a:b:g=" + "x".repeat(0xff00) + ":c"))
                .withMessageContaining("before its user part");
    }

    @Test
    void refusesPartsThatNoTextWouldGive() {
        assertThatExceptionOfType(InvalidDocumentException.class)
                .isThrownBy(() -> new DocumentId("a:b", "c", new LocationKey.Plain(), "d"));
        assertThatExceptionOfType(InvalidDocumentException.class)
                .isThrownBy(() -> new DocumentId("a", "c", new LocationKey.Group("x:y"), "d"));
        assertThatExceptionOfType(InvalidDocumentException.class)
                .isThrownBy(() -> new DocumentId("a", "c", new LocationKey.Group("x,y"), "d"));
    }
}
