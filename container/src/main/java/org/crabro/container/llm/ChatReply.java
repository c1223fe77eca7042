package org.crabro.container.llm;

import java.util.Optional;
import org.crabro.component.LanguageModelException;
import org.crabro.component.QueryError;
import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.UnexpectedEndOfInputException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads the JSON of an answer: the first of its choices, as the others repeat the same answer. */
final class ChatReply {
    private static final JsonMapper JSON = new JsonMapper();

    private static final String END = "[DONE]";

    private final Optional<String> key;
    private Optional<String> reason = Optional.empty();
    private Optional<Usage> usage = Optional.empty();

    /**
     * The tokens of a call.
     *
     * @param prompt of the prompt
     * @param completion of the text
     */
    record Usage(long prompt, long completion) {}

    /**
     * @param key that messages must not contain
     */
    ChatReply(Optional<String> key) {
        this.key = key;
    }

    /** Returns whether an event is the last one. */
    boolean isEnd(String data) {
        return data.strip().equals(END);
    }

    /** Returns why the text ends, as the service has said; empty if it has not. */
    Optional<String> reason() {
        return reason;
    }

    /**
     * Returns the tokens that the service has reported last: later reports include earlier ones.
     */
    Optional<Usage> usage() {
        return usage;
    }

    private void readUsage(JsonNode answer) {
        JsonNode reported = answer.path("usage");
        if (reported.isObject()) {
            usage =
                    Optional.of(
                            new Usage(
                                    tokens(reported, "prompt_tokens"),
                                    tokens(reported, "completion_tokens")));
        }
    }

    private static long tokens(JsonNode usage, String name) {
        return Math.max(0, usage.path(name).asLong(0));
    }

    /**
     * Returns the part of the text in an event; empty for none.
     *
     * @throws LanguageModelException if the event is an error or no JSON
     */
    String part(String data) {
        JsonNode event;
        try {
            event = JSON.readTree(data);
        } catch (UnexpectedEndOfInputException _) {
            throw endedEarly();
        } catch (JacksonException _) {
            throw unreadable();
        }
        readUsage(event);
        for (JsonNode choice : choices(event)) {
            if (choice.path("index").asInt(0) == 0) {
                readReason(choice);
                return choice.path("delta").path("content").asString("");
            }
        }
        return "";
    }

    /**
     * Returns the text of an answer that was sent as a whole.
     *
     * @throws LanguageModelException if it is an error or no JSON
     */
    String whole(byte[] body) {
        JsonNode answer;
        try {
            answer = JSON.readTree(body);
        } catch (UnexpectedEndOfInputException _) {
            throw endedEarly();
        } catch (JacksonException _) {
            throw unreadable();
        }
        readUsage(answer);
        for (JsonNode choice : choices(answer)) {
            if (choice.path("index").asInt(0) == 0) {
                readReason(choice);
                return choice.path("message").path("content").asString("");
            }
        }
        throw unreadable();
    }

    private void readReason(JsonNode choice) {
        JsonNode said = choice.path("finish_reason");
        if (said.isString()) {
            reason = Optional.of(ChatFailure.without(said.asString(), key));
        }
    }

    private JsonNode choices(JsonNode answer) {
        JsonNode error = answer.path("error");
        if (!error.isMissingNode() && !error.isNull()) {
            throw new LanguageModelException(
                    QueryError.Kind.UNAVAILABLE,
                    "the service reports: "
                            + ChatFailure.without(error.path("message").asString(""), key));
        }
        return answer.path("choices");
    }

    /** Returns the error of an answer whose end is missing. */
    static LanguageModelException endedEarly() {
        return new LanguageModelException(
                QueryError.Kind.UNAVAILABLE, "the service ended its answer early");
    }

    private static LanguageModelException unreadable() {
        return new LanguageModelException(
                QueryError.Kind.UNAVAILABLE,
                "the answer of the service is not in the form of OpenAI's chat completions");
    }
}
