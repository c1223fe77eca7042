package org.crabro.client.query;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A part of a result that arrives in parts.
 *
 * @param name such as {@code token}, {@code hits} or {@code end}; {@code message} if the server
 *     gave none
 * @param data the text of the part, usually JSON
 */
public record ServerEvent(String name, String data) {
    private static final String DEFAULT_NAME = "message";

    /** Returns the events of a body of type {@code text/event-stream}, read line by line. */
    static Stream<ServerEvent> parse(Stream<String> lines) {
        var event =
                new Object() {
                    private String name = DEFAULT_NAME;
                    private final List<String> data = new ArrayList<>();
                };
        return lines.<ServerEvent>mapMulti(
                        (line, sink) -> {
                            if (line.isEmpty()) {
                                if (!event.data.isEmpty()) {
                                    sink.accept(
                                            new ServerEvent(
                                                    event.name, String.join("\n", event.data)));
                                }
                                event.name = DEFAULT_NAME;
                                event.data.clear();
                            } else if (line.startsWith("event:")) {
                                event.name = value(line);
                            } else if (line.startsWith("data:")) {
                                event.data.add(value(line));
                            }
                        })
                .onClose(lines::close);
    }

    private static String value(String line) {
        String value = line.substring(line.indexOf(':') + 1);
        return value.startsWith(" ") ? value.substring(1) : value;
    }
}
