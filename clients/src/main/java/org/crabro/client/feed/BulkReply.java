package org.crabro.client.feed;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.crabro.client.http.RetryAfter;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What became of a request with many operations. */
sealed interface BulkReply {
    /** Reads the answers. */
    JsonMapper JSON = new JsonMapper();

    /** The answer for a line. */
    record Answer(int status, String message) {}

    /** The server answered lines, by their number in the request. */
    record Answers(Map<Integer, Answer> lines) implements BulkReply {
        public Answers {
            lines = Map.copyOf(lines);
        }
    }

    /**
     * The server was full.
     *
     * @param asked the wait that it asked for
     */
    record Busy(String problem, Optional<Duration> asked) implements BulkReply {}

    /** There was no answer. */
    record Unanswered(String problem) implements BulkReply {}

    /** Another try would have the same answer. */
    record Refused(String problem) implements BulkReply {}

    /** Reads an answer. */
    static BulkReply of(HttpResponse<String> response) {
        if (!isBulk(response)) {
            String problem = response.statusCode() + " " + response.body();
            return RetryAfter.isBusy(response.statusCode())
                    ? new Busy(problem, RetryAfter.of(response))
                    : new Refused(problem);
        }
        try {
            return new Answers(answers(response.body()));
        } catch (JacksonException e) {
            return new Refused("an answer that is no JSON: " + e.getMessage());
        }
    }

    /** Returns whether an answer has answers for lines. */
    static boolean isBulk(HttpResponse<?> response) {
        return response.statusCode() == 200
                && response.headers()
                        .firstValue("Content-Type")
                        .filter(type -> type.startsWith("application/jsonl"))
                        .isPresent();
    }

    /** Returns the answers of a body by the number of their line; without those of no line. */
    private static Map<Integer, Answer> answers(String body) {
        Map<Integer, Answer> answers = new HashMap<>();
        for (String text : body.split("\n", -1)) {
            if (!text.isEmpty()) {
                JsonNode answer = JSON.readTree(text);
                if (answer.has("line")) {
                    answers.put(
                            answer.get("line").asInt(),
                            new Answer(
                                    answer.path("status").asInt(),
                                    answer.path("message").asString("")));
                }
            }
        }
        return answers;
    }
}
