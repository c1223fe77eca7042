package org.crabro.container.admin;

import java.util.List;
import tools.jackson.core.JsonGenerator;

/** Writes the answers about sessions and their files. */
final class SessionJson {
    private SessionJson() {}

    static void created(JsonGenerator json, long session, String url) {
        json.writeStartObject();
        AdminJson.log(json, List.of(), false, 0);
        session(json, session);
        json.writeStringProperty("prepared", url + "/prepared");
        json.writeStringProperty("content", url + "/content/");
        json.writeStringProperty(
                "message", "Session %d for tenant 'default' created.".formatted(session));
        json.writeEndObject();
    }

    static void prepared(
            JsonGenerator json,
            DeployReply.Prepared prepared,
            boolean verbose,
            long timeMillis,
            String url) {
        json.writeStartObject();
        AdminJson.log(json, prepared.notices(), verbose, timeMillis);
        session(json, prepared.session());
        json.writeStringProperty("activate", url + "/active");
        json.writeStringProperty(
                "message",
                "Session %d for tenant 'default' prepared.".formatted(prepared.session()));
        AdminJson.actions(json, prepared.changes());
        json.writeEndObject();
    }

    static void activated(JsonGenerator json, long session, String application) {
        json.writeStartObject();
        session(json, session);
        json.writeStringProperty(
                "message", "Session %d for tenant 'default' activated.".formatted(session));
        json.writeStringProperty("url", application);
        json.writeEndObject();
    }

    static void changed(JsonGenerator json, String url) {
        json.writeStartObject();
        json.writeStringProperty("prepared", url + "/prepared");
        json.writeEndObject();
    }

    /** Numbers of sessions are strings in this interface. */
    private static void session(JsonGenerator json, long session) {
        json.writeStringProperty("tenant", AdminPath.DEFAULT);
        json.writeStringProperty("session-id", Long.toString(session));
    }

    static void status(JsonGenerator json, PackageContent.Status status, String url) {
        json.writeStartObject();
        json.writeStringProperty("status", status.change().word());
        json.writeStringProperty("md5", status.md5());
        json.writeStringProperty("name", url);
        json.writeEndObject();
    }
}
