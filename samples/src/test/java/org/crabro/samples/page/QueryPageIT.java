package org.crabro.samples.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.crabro.samples.fixture.Http;
import org.crabro.samples.fixture.StreamingServer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Asks what the page on queries shows: its requests, statements, operators and parameters. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class QueryPageIT {
    private static final Path ROOT = Path.of(System.getProperty("crabro.root"));

    /** The body of a request that is posted. */
    private static final Pattern POSTED = Pattern.compile("--json '(\\{.*?})'\n", Pattern.DOTALL);

    private static final Pattern STATEMENT = Pattern.compile("^select .*$", Pattern.MULTILINE);

    private static final Pattern ERROR =
            Pattern.compile("```\n(Could not create query from YQL.*?)```", Pattern.DOTALL);

    private static final Pattern CODE = Pattern.compile("`([^`]+)`");

    /** What may stand for the field of an operator. */
    private static final List<String> FIELDS =
            List.of(
                    "title",
                    "artist",
                    "year",
                    "live",
                    "place",
                    "embedding",
                    "tags",
                    "people",
                    "audience");

    private static final String MUSIC =
            """
            schema music {
              document music {
                struct person { field name type string {} field born type int {} }
                field title type string { indexing: index | summary }
                field artist type string { indexing: index | summary }
                field year type int { indexing: attribute | summary }
                field live type bool { indexing: attribute | summary }
                field place type position { indexing: attribute | summary }
                field tags type array<string> { indexing: index | attribute | summary }
                field chunks type array<string> { indexing: index | summary }
                field author type string { indexing: attribute | summary }
                field prices type map<string, int> { indexing: summary | index }
                field ratings type array<int> { indexing: attribute | summary }
                field boss type person { indexing: summary | index }
                field people type array<person> { indexing: summary | index }
                field links type map<string, string> { indexing: summary | index }
                field embedding type tensor<float>(x[3]) { indexing: attribute }
                field audience type predicate {
                  indexing: attribute | summary
                  index { arity: 2 }
                }
              }
              fieldset default { fields: title }
              document-summary name { summary title {} }
              rank-profile default {
                inputs { query(q) tensor<float>(x[3]) }
                second-phase { expression: 1 }
              }
              rank-profile name inherits default {}
            }
            """;

    private static final String COMMITS =
            """
            schema commits {
              document commits {
                field subject type string { indexing: index | summary }
                field author type string { indexing: attribute | summary }
                field time type long { indexing: attribute | summary }
              }
              fieldset default { fields: subject }
            }
            """;

    @TempDir static Path data;

    private String page;
    @AutoClose private StreamingServer server;

    @BeforeAll
    void start() throws Exception {
        page = Files.readString(ROOT.resolve("docs/query.md"));
        server = new StreamingServer(data, Map.of("music", MUSIC, "commits", COMMITS));
        server.put("web/music/group/anna/blue", "{\"embedding\":[1,2,3]}");
    }

    @Test
    void answersWhatIsPosted() throws Exception {
        int posted = 0;
        for (MatchResult body : POSTED.matcher(page).results().toList()) {
            posted++;
            Http.Answer answer = server.post(body.group(1));
            assertIsRight(body.group(1), answer);
        }
        assertThat(posted).isEqualTo(3);
    }

    @Test
    void answersStatements() throws Exception {
        int statements = 0;
        for (MatchResult statement : STATEMENT.matcher(page).results().toList()) {
            statements++;
            assertIsRight(statement.group(), asked(List.of(), statement.group()));
        }
        assertThat(statements).isGreaterThan(5);
    }

    /** Each form of the table with one field or another: those that fit it are not listed there. */
    @Test
    void answersEveryOperator() throws Exception {
        int operators = 0;
        for (String form : codesOf("| form | matches |")) {
            if (!form.matches(".*[=<(! ].*|true|false") || form.contains("…")) {
                continue;
            }
            operators++;
            String whole = form.matches("(alternatives|text)\\(.*") ? "f contains " + form : form;
            var answers = new ArrayList<Http.Answer>();
            for (String field : FIELDS) {
                String condition =
                        whole.replaceAll("\\bf\\b", field)
                                .replaceAll("(?<=^|[ (!])[ab](?=$|[ ),])", "title contains \"x\"");
                answers.add(asked(List.of(), "select * from music where " + condition));
            }
            assertThat(answers)
                    .as(form)
                    .anyMatch(answer ->
                            answer.status() == 200 && !answer.body().path("root").has("errors"));
        }
        assertThat(operators).isGreaterThan(25);
    }

    @Test
    void acceptsEveryParameter() throws Exception {
        int parameters = 0;
        var lines = new ArrayList<String>();
        for (String table : List.of("| parameter | searches |", "| parameter | means |")) {
            lines.addAll(codesOf(table));
        }
        for (String code : lines) {
            int end = code.indexOf('=');
            if (end < 0 || code.contains("…") || code.contains("embed(")) {
                continue;
            }
            parameters++;
            assertIsRight(
                    code,
                    asked(
                            List.of(code.substring(0, end), code.substring(end + 1)),
                            "select * from music where true"));
        }
        assertThat(parameters).isGreaterThan(20);
    }

    @Test
    void saysWhatIsWrongAsShown() throws Exception {
        MatchResult error = ERROR.matcher(page).results().findFirst().orElseThrow();
        String statement = error.group(1).lines().toList().get(1).strip();

        String message =
                asked(List.of(), statement)
                        .body()
                        .path("root")
                        .path("errors")
                        .path(0)
                        .path("message")
                        .asString();

        assertThat(message.strip()).isEqualTo(error.group(1).strip());
    }

    /** Returns the codes in the first cells of all tables with a heading. */
    private List<String> codesOf(String heading) {
        var codes = new ArrayList<String>();
        boolean isInside = false;
        for (String line : page.lines().toList()) {
            isInside = line.equals(heading) || (isInside && line.startsWith("|"));
            if (isInside) {
                String cell = line.split("(?<!\\\\) \\| ", 2)[0];
                CODE.matcher(cell).results().map(code -> code.group(1)).forEach(codes::add);
            }
        }
        assertThat(codes).as(heading).isNotEmpty();
        return codes;
    }

    private Http.Answer asked(List<String> parameters, String yql) throws Exception {
        if (parameters.contains("strict")) {
            // Only what the query uses.
            return server.search("yql", yql, "streaming.groupname", "anna", "strict", "true");
        }
        var all =
                new ArrayList<String>(
                        List.of(
                                "yql",
                                yql,
                                "words",
                                "fix",
                                "list",
                                "'b','c'",
                                "query",
                                "word",
                                "input.query(q)",
                                "[1,2,3]"));
        if (parameters.isEmpty() || !isScope(parameters.getFirst())) {
            all.addAll(List.of("streaming.groupname", "anna"));
        }
        all.addAll(parameters);
        return server.search(all.toArray(String[]::new));
    }

    private static boolean isScope(String name) {
        return name.startsWith("streaming.group")
                || name.equals("streaming.userid")
                || name.equals("streaming.selection");
    }

    private static void assertIsRight(String asked, Http.Answer answer) {
        assertThat(answer.status()).as("%s: %s", asked, answer).isEqualTo(200);
        for (JsonNode error : answer.body().path("root").path("errors")) {
            // Where both types are searched each lacks fields of the other.
            assertThat(error.path("message").asString())
                    .as("%s: %s", asked, answer)
                    .matches("Field '[a-z]+' does not exist in '(music|commits)'\\.");
        }
    }
}
