package org.crabro.samples.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.crabro.samples.fixture.PageCommands;
import org.crabro.samples.fixture.ServedPackage;
import org.crabro.samples.fixture.ServedPackage.Answer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Deploys and feeds what the page on dates shows, and runs each line of its tables. */
class DatesPageIT {
    private static final Pattern SCHEMA = Pattern.compile("```sd\n(.*?)```", Pattern.DOTALL);
    private static final Pattern DOCUMENTS = Pattern.compile("```json\n(.*?)```", Pattern.DOTALL);

    /** A condition, and the numbers of the documents that it finds. */
    private static final Pattern FOUND = Pattern.compile("\\| `([^`]+)` \\|((?: \\d+)*) \\|");

    /** A condition, and the fields of its hit, or the message of its error. */
    private static final Pattern ANSWERED = Pattern.compile("\\| `([^`]+)` \\| `([{\"].+)` \\|");

    @TempDir Path data;

    @Test
    void answersAsThePageSays() throws Exception {
        String page = PageCommands.page("dates.md");
        int count = 0;
        int answered = 0;
        try (var served = ServedPackage.ofNotes(data, part(SCHEMA, page))) {
            served.feed(part(DOCUMENTS, page).lines().toList());
            for (String line : page.lines().toList()) {
                Matcher numbers = FOUND.matcher(line);
                Matcher answer = ANSWERED.matcher(line);
                if (numbers.matches()) {
                    count++;
                    List<String> values = numbers(search(served, numbers.group(1)));
                    assertThat(String.join(" ", values))
                            .as(line)
                            .isEqualTo(numbers.group(2).strip());
                } else if (answer.matches()) {
                    answered++;
                    assertThat(shown(search(served, answer.group(1))))
                            .as(line)
                            .contains(answer.group(2));
                }
            }
        }
        assertThat(count).isGreaterThan(14);
        assertThat(answered).isEqualTo(4);
    }

    private static String part(Pattern pattern, String page) {
        Matcher part = pattern.matcher(page);
        assertThat(part.find()).isTrue();
        return part.group(1);
    }

    private static Answer search(ServedPackage served, String condition) throws Exception {
        return served.search(
                "ann",
                "select number, date, day from note where " + condition,
                "&presentation.dates=iso");
    }

    private static List<String> numbers(Answer answer) {
        var numbers = new ArrayList<String>();
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        for (JsonNode hit : answer.json().path("root").at("/children")) {
            numbers.add(hit.at("/fields/number").asString());
        }
        Collections.sort(numbers);
        return numbers;
    }

    private static String shown(Answer answer) {
        JsonNode error = answer.json().path("root").at("/errors/0/message");
        return error.isMissingNode()
                ? answer.json().path("root").at("/children/0/fields").toString()
                : error.asString();
    }
}
