package org.crabro.container.render;

import java.util.List;
import java.util.Optional;
import org.crabro.container.search.AnswerEvent;
import tools.jackson.core.JsonGenerator;

/** Writes the parts of a complete answer as hits. */
final class AnswerJson {
    private AnswerJson() {}

    /** Writes the children of the root. */
    static void write(List<AnswerEvent> events, JsonGenerator json) {
        json.writeArrayPropertyStart("children");
        json.writeStartObject();
        json.writeStringProperty("id", "event_stream");
        json.writeNumberProperty("relevance", 1.0);
        // A field of the whole stream, because clients take each child for a part of the text.
        reason(events)
                .ifPresent(reason -> {
                    json.writeObjectPropertyStart("fields");
                    field(reason, json);
                    json.writeEndObject();
                });
        json.writeArrayPropertyStart("children");
        int number = 0;
        for (AnswerEvent event : events) {
            if (isReason(event)) {
                continue;
            }
            number++;
            json.writeStartObject();
            json.writeStringProperty("id", Integer.toString(number));
            json.writeNumberProperty("relevance", 1.0);
            json.writeObjectPropertyStart("fields");
            field(event, json);
            json.writeEndObject();
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
        json.writeEndArray();
    }

    private static Optional<AnswerEvent> reason(List<AnswerEvent> events) {
        return events.stream().filter(AnswerJson::isReason).findFirst();
    }

    private static boolean isReason(AnswerEvent event) {
        return event.type().equals(AnswerEvent.FINISH_REASON);
    }

    private static void field(AnswerEvent event, JsonGenerator json) {
        json.writeName(event.type());
        if (event.type().equals(AnswerEvent.HITS)) {
            json.writeRawValue(event.text());
        } else {
            json.writeString(event.text());
        }
    }
}
