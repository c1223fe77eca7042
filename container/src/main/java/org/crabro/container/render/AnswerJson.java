package org.crabro.container.render;

import java.util.List;
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
        json.writeArrayPropertyStart("children");
        for (int i = 0; i < events.size(); i++) {
            json.writeStartObject();
            json.writeStringProperty("id", Integer.toString(i + 1));
            json.writeNumberProperty("relevance", 1.0);
            json.writeObjectPropertyStart("fields");
            field(events.get(i), json);
            json.writeEndObject();
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
        json.writeEndArray();
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
