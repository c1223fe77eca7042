package org.crabro.client.imports;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.crabro.client.chats.ChatText;

/** The messages of a chat in a text file. */
final class ChatFile implements RecordReader {
    static final int BYTES_MAX = 64 << 20;

    private final ChatText messages;

    private ChatFile(ChatText messages) {
        this.messages = messages;
    }

    /** Opens a text file; empty if it is no chat. */
    static Optional<RecordReader> open(Path file, Optional<Charset> encoding, ImportLosses losses)
            throws IOException {
        byte[] bytes = TextFiles.bytes(file, BYTES_MAX);
        String text =
                encoding.map(each -> DecodedBytes.in(each, bytes))
                        .orElseGet(() -> DecodedBytes.of(bytes, null))
                        .text();
        if (!ChatText.isChat(text)) {
            return Optional.empty();
        }
        var opened = new ChatFile[1];
        opened[0] =
                new ChatFile(
                        new ChatText(
                                text,
                                (field, change) -> losses.add(field, change, opened[0].place())));
        return Optional.of(opened[0]);
    }

    @Override
    public Optional<Map<String, Object>> next() {
        return messages.next();
    }

    @Override
    public String place() {
        return "line " + messages.line();
    }

    @Override
    public void close() {
        // The file was closed when it was read.
    }
}
