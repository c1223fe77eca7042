package org.crabro.container.admin;

import java.util.List;
import org.crabro.config.application.ApplicationName;
import org.crabro.config.application.Notice;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.config.deploy.ModelChanges;
import org.crabro.config.deploy.ModelChanges.Reindex;
import org.crabro.config.deploy.ValidationId;
import org.crabro.config.services.CompatibilityLevel;
import tools.jackson.core.JsonGenerator;

/** Writes the answers of the deploy API. Clients depend on exact names and types. */
final class AdminJson {
    private AdminJson() {}

    static void tenants(JsonGenerator json, List<String> tenants) {
        json.writeStartObject();
        json.writeArrayPropertyStart("tenants");
        tenants.forEach(json::writeString);
        json.writeEndArray();
        json.writeEndObject();
    }

    static void applications(JsonGenerator json, List<String> urls) {
        json.writeStartArray();
        urls.forEach(json::writeString);
        json.writeEndArray();
    }

    static void application(JsonGenerator json, ApplicationModel model) {
        json.writeStartObject();
        json.writeNumberProperty("generation", model.generation());
        json.writeStringProperty(
                "applicationPackageFileReference", "generation-" + model.generation());
        json.writeArrayPropertyStart("modelVersions");
        json.writeString(CompatibilityLevel.text());
        json.writeEndArray();
        json.writeEndObject();
    }

    /**
     * Writes the answer to a deployment.
     *
     * @param verbose whether to include notices below a warning
     */
    static void deployed(
            JsonGenerator json,
            DeployReply.Deployed deployed,
            boolean verbose,
            long timeMillis,
            String url) {
        json.writeStartObject();
        log(json, deployed.notices(), verbose, timeMillis);
        String tenant = deployed.name().tenant();
        json.writeStringProperty("tenant", tenant);
        json.writeStringProperty("session-id", Long.toString(deployed.generation()));
        json.writeStringProperty("url", url);
        json.writeStringProperty(
                "message",
                "Session %d for tenant '%s' %s."
                        .formatted(
                                deployed.generation(),
                                tenant,
                                deployed.activated() ? "prepared and activated" : "checked"));
        json.writeBooleanProperty("activated", deployed.activated());
        actions(json, deployed.changes());
        json.writeEndObject();
    }

    /**
     * Writes notices.
     *
     * @param verbose whether to include notices below a warning
     */
    static void log(JsonGenerator json, List<Notice> notices, boolean verbose, long timeMillis) {
        json.writeArrayPropertyStart("log");
        for (Notice notice : notices) {
            if (verbose || notice.level() == Notice.Level.WARNING) {
                json.writeStartObject();
                json.writeNumberProperty("time", timeMillis);
                json.writeStringProperty("level", notice.level().name());
                json.writeStringProperty("message", notice.message());
                json.writeBooleanProperty("applicationPackage", true);
                json.writeEndObject();
            }
        }
        json.writeEndArray();
    }

    static void actions(JsonGenerator json, ModelChanges changes) {
        json.writeObjectPropertyStart("configChangeActions");
        json.writeArrayPropertyStart("restart");
        changes.restarts().forEach(change -> restart(json, change));
        json.writeEndArray();
        json.writeArrayPropertyStart("refeed");
        for (ModelChanges.Danger danger : changes.dangers()) {
            if (danger.id() == ValidationId.FIELD_TYPE_CHANGE) {
                action(
                        json,
                        danger.id().id(),
                        danger.documentType(),
                        danger.cluster(),
                        List.of(danger.message()));
            }
        }
        json.writeEndArray();
        json.writeArrayPropertyStart("reindex");
        for (Reindex action : changes.reindex()) {
            action(
                    json,
                    "indexing-change",
                    action.documentType(),
                    action.cluster(),
                    action.messages());
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void restart(JsonGenerator json, ModelChanges.Restart change) {
        json.writeStartObject();
        json.writeStringProperty("clusterName", change.cluster());
        json.writeStringProperty("clusterType", "search");
        json.writeStringProperty("serviceType", "searchnode");
        json.writeArrayPropertyStart("messages");
        change.messages().forEach(json::writeString);
        json.writeEndArray();
        json.writeArrayPropertyStart("services");
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void action(
            JsonGenerator json,
            String name,
            String documentType,
            String cluster,
            List<String> messages) {
        json.writeStartObject();
        json.writeStringProperty("name", name);
        json.writeStringProperty("documentType", documentType);
        json.writeStringProperty("clusterName", cluster);
        json.writeArrayPropertyStart("messages");
        messages.forEach(json::writeString);
        json.writeEndArray();
        json.writeArrayPropertyStart("services");
        json.writeEndArray();
        json.writeEndObject();
    }

    /**
     * Writes which generation the services have.
     *
     * @param wanted the active generation
     * @param current the oldest that a running server serves
     */
    static void serviceConverge(
            JsonGenerator json,
            long wanted,
            long current,
            List<RunningService> services,
            String url) {
        json.writeStartObject();
        json.writeArrayPropertyStart("services");
        for (RunningService service : services) {
            json.writeStartObject();
            json.writeStringProperty("host", service.host());
            json.writeNumberProperty("port", service.port());
            json.writeStringProperty("type", service.type());
            json.writeStringProperty("clusterName", service.clusterName());
            json.writeStringProperty("url", url + "/serviceconverge/" + address(service));
            json.writeNumberProperty("currentGeneration", service.generation());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeStringProperty("url", url + "/serviceconverge");
        generations(json, wanted, current);
        json.writeEndObject();
    }

    /** Writes which generation one service has. */
    static void serviceStatus(JsonGenerator json, long wanted, RunningService service, String url) {
        json.writeStartObject();
        json.writeStringProperty("url", url + "/serviceconverge/" + address(service));
        json.writeStringProperty("host", address(service));
        generations(json, wanted, service.generation());
        json.writeEndObject();
    }

    private static void generations(JsonGenerator json, long wanted, long current) {
        json.writeNumberProperty("currentGeneration", current);
        json.writeNumberProperty("wantedGeneration", wanted);
        json.writeBooleanProperty("converged", current == wanted);
    }

    private static String address(RunningService service) {
        return service.host() + ":" + service.port();
    }

    /** Writes that a service does not belong to the active application. */
    static void noSuchService(JsonGenerator json, String address, long generation, String url) {
        json.writeStartObject();
        json.writeStringProperty("url", url + "/serviceconverge/" + address);
        json.writeStringProperty("host", address);
        json.writeNumberProperty("wantedGeneration", generation);
        json.writeStringProperty(
                "problem",
                "the active application has no service at '%s' (any more)".formatted(address));
        json.writeEndObject();
    }

    /** Writes the application of a host; there is only one. */
    static void host(JsonGenerator json, ApplicationName name) {
        json.writeStartObject();
        json.writeStringProperty("tenant", name.tenant());
        json.writeStringProperty("application", name.application());
        json.writeStringProperty("environment", "prod");
        json.writeStringProperty("region", "default");
        json.writeStringProperty("instance", name.instance());
        json.writeEndObject();
    }
}
