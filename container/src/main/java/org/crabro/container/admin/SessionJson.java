package org.crabro.container.admin;

import java.util.List;
import tools.jackson.core.JsonGenerator;

/** Writes the answers about sessions and their files. */
final class SessionJson {
    private SessionJson() {}

    static void created(JsonGenerator json, String tenant, long session, String url) {
        json.writeStartObject();
        AdminJson.log(json, List.of(), false, 0);
        session(json, tenant, session);
        json.writeStringProperty("prepared", url + "/prepared");
        json.writeStringProperty("content", url + "/content/");
        json.writeStringProperty(
                "message", "Session %d for tenant '%s' created.".formatted(session, tenant));
        json.writeEndObject();
    }

    static void prepared(
            JsonGenerator json,
            String tenant,
            DeployReply.Prepared prepared,
            boolean verbose,
            long timeMillis,
            String url) {
        json.writeStartObject();
        AdminJson.log(json, prepared.notices(), verbose, timeMillis);
        session(json, tenant, prepared.session());
        json.writeStringProperty("activate", url + "/active");
        json.writeStringProperty(
                "message",
                "Session %d for tenant '%s' prepared.".formatted(prepared.session(), tenant));
        AdminJson.actions(json, prepared.changes());
        json.writeEndObject();
    }

    static void activated(JsonGenerator json, String tenant, long session, String application) {
        json.writeStartObject();
        session(json, tenant, session);
        json.writeStringProperty(
                "message", "Session %d for tenant '%s' activated.".formatted(session, tenant));
        json.writeStringProperty("url", application);
        json.writeEndObject();
    }

    static void changed(JsonGenerator json, String url) {
        json.writeStartObject();
        json.writeStringProperty("prepared", url + "/prepared");
        json.writeEndObject();
    }

    /** Numbers of sessions are strings in this API. */
    private static void session(JsonGenerator json, String tenant, long session) {
        json.writeStringProperty("tenant", tenant);
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
