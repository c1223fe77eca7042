package org.crabro.client.mcp;

import java.util.Optional;
import org.crabro.document.DocumentId;
import org.crabro.document.InvalidDocumentException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Keeps the tools to one group of documents. Calls that name no group get it as an argument. This
 * is for convenience: the access file of a server protects groups.
 *
 * @param group the name of the group
 */
record GroupScope(String group) {
    private static final String ARGUMENT = "group";
    private static final String PARAMETERS = "parameters";

    /** Parameters of queries that choose groups. */
    private static final String CHOICE = "streaming.";

    /**
     * Adds the group to a message or to each message of a batch.
     *
     * @return why a message is refused; empty if it is not
     */
    Optional<String> apply(JsonNode message) {
        if (message.isArray()) {
            for (JsonNode each : message) {
                Optional<String> refusal = apply(each);
                if (refusal.isPresent()) {
                    return refusal;
                }
            }
            return Optional.empty();
        }
        if (!message.path("method").asString("").equals("tools/call")
                || !(message.path("params") instanceof ObjectNode params)) {
            return Optional.empty();
        }
        return switch (params.path("name").asString("")) {
            case "search", "visit" -> narrowed(params);
            case "get" -> checked(params.path("arguments").path("id").asString(""));
            default -> Optional.empty();
        };
    }

    private Optional<String> narrowed(ObjectNode params) {
        if (params.path("arguments").isMissingNode() || params.path("arguments").isNull()) {
            params.putObject("arguments");
        }
        if (!(params.path("arguments") instanceof ObjectNode arguments)) {
            // The server says what is wrong.
            return Optional.empty();
        }
        JsonNode given = arguments.path(ARGUMENT);
        boolean isOther = !given.isMissingNode() && !given.isNull();
        if (isOther && !given.asString("").equals(group)) {
            return Optional.of(only());
        }
        for (String name : arguments.path(PARAMETERS).propertyNames()) {
            if (name.startsWith(CHOICE)) {
                return Optional.of("the parameter " + name + " is not permitted: " + only());
            }
        }
        arguments.put(ARGUMENT, group);
        return Optional.empty();
    }

    private Optional<String> checked(String id) {
        try {
            String key = DocumentId.parse(id).key().text();
            boolean isInGroup = key.equals("g=" + group) || key.equals("n=" + group);
            return isInGroup ? Optional.empty() : Optional.of(only());
        } catch (InvalidDocumentException _) {
            // The server says what is wrong.
            return Optional.empty();
        }
    }

    private String only() {
        return "these tools read the group '%s' only: 'crabro mcp' was started with --group %s"
                .formatted(group, group);
    }
}
