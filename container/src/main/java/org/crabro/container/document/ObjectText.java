package org.crabro.container.document;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import tools.jackson.core.JsonGenerator;

/** Copies a part of JSON that a content node wrote, without reading its tokens. */
final class ObjectText {
    private static final int PIECE = 8 << 10;

    private ObjectText() {}

    /**
     * Writes the value of the last member of an object.
     *
     * @param text an object in UTF-8 without white space, whose last member is {@code name}. The
     *     members before it are texts
     * @throws IllegalArgumentException if there is no such member
     */
    static void writeMember(ByteBuffer text, String name, JsonGenerator json) {
        // In a text, the quotes would be escaped.
        byte[] member = (",\"" + name + "\":").getBytes(US_ASCII);
        ByteBuffer value = text.duplicate();
        value.position(indexOf(text, member) + member.length).limit(text.limit() - 1);
        json.writeRawValue("");
        CharsetDecoder decoder =
                UTF_8.newDecoder()
                        .onMalformedInput(CodingErrorAction.REPLACE)
                        .onUnmappableCharacter(CodingErrorAction.REPLACE);
        var piece = new char[PIECE];
        CharBuffer chars = CharBuffer.wrap(piece);
        while (value.hasRemaining()) {
            decoder.decode(value, chars, true);
            json.writeRaw(piece, 0, chars.position());
            chars.clear();
        }
    }

    private static int indexOf(ByteBuffer text, byte[] part) {
        ByteBuffer wanted = ByteBuffer.wrap(part);
        for (int i = text.position(); i <= text.limit() - part.length; i++) {
            if (text.slice(i, part.length).equals(wanted)) {
                return i;
            }
        }
        throw new IllegalArgumentException("an object without its last member");
    }
}
