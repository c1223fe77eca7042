package org.crabro.client.shell;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.crabro.client.http.ServerAccess;
import org.crabro.client.http.UnreachableServerException;
import org.crabro.client.query.ClientQuery;
import org.crabro.client.query.GroupSearch;
import org.crabro.client.query.QueryAnswer;
import org.crabro.client.query.QueryClient;
import org.crabro.client.terminal.CountLine;
import org.crabro.client.terminal.HitTable;
import org.crabro.client.terminal.MarkedWords;
import org.crabro.client.terminal.PlanTree;
import org.crabro.client.terminal.ResultTable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads statements, runs them, and prints the results. For one thread. */
public final class Shell implements AutoCloseable {
    private static final URI SCHEMAS = URI.create("/crabro/v1/schemas");
    private static final String GROUP = "streaming.groupname";
    private static final String ALL = "streaming.selection";

    /** A request parameter at the end of an advice. */
    private static final Pattern SETTING = Pattern.compile("([\\w.]+=\\w+)$");

    private static final String DEFAULT_TIMEOUT = "10s";
    private static final JsonMapper JSON = new JsonMapper();

    private final ServerAccess server;
    private final QueryClient client;
    private final GroupSearch groups;
    private final Output output;
    private final Map<String, String> parameters = new LinkedHashMap<>();
    private String lastQuery = "";
    private boolean isTimed;
    private boolean isJson;
    private boolean isFailed;
    private boolean isEnded;

    /**
     * Where results are written.
     *
     * @param columns the width of tables
     * @param isTerminal whether a person reads it
     */
    public record Output(
            PrintWriter out, PrintWriter err, int columns, boolean isTerminal, boolean isColored) {}

    /**
     * @param given parameters of all queries
     */
    public Shell(ServerAccess server, Map<String, String> given, Output output) {
        this.server = server;
        this.client = new QueryClient(server, HttpClient.Version.HTTP_1_1);
        this.groups = new GroupSearch(client, new GroupSearch.Choice("\\group NAME", "\\group"));
        this.output = output;
        this.isTimed = output.isTerminal();
        parameters.put("timeout", DEFAULT_TIMEOUT);
        parameters.putAll(given);
    }

    /**
     * Reads the names of the application, for completion. A server without an application, or one
     * that does not tell them, has none.
     *
     * @throws UnreachableServerException if no server answers
     */
    SchemaNames names() throws IOException, InterruptedException {
        try (HttpClient http = server.open(HttpClient.Version.HTTP_1_1)) {
            HttpResponse<String> response =
                    server.send(
                            http,
                            server.request(SCHEMAS).build(),
                            HttpResponse.BodyHandlers.ofString());
            return response.statusCode() == 200
                    ? SchemaNames.of(JSON.readTree(response.body()))
                    : SchemaNames.NONE;
        }
    }

    /**
     * Runs all statements of an input.
     *
     * @return whether all succeeded
     * @throws IOException if the input cannot be read, or the server is gone
     */
    boolean run(ShellInput input) throws IOException, InterruptedException {
        var entered = new StringBuilder();
        while (!isEnded) {
            Optional<String> line;
            try {
                line = input.next(entered.toString());
            } catch (ShellInput.InterruptedLineException e) {
                entered.setLength(0);
                continue;
            }
            line.ifPresent(text -> entered.append(text).append('\n'));
            Optional<ShellStatement> statement =
                    ShellStatement.parse(entered.toString(), line.isEmpty());
            if (statement.isPresent()) {
                entered.setLength(0);
                run(statement.get());
                output.out().flush();
                output.err().flush();
            }
            isEnded |= line.isEmpty();
        }
        return !isFailed;
    }

    private void run(ShellStatement statement) throws IOException, InterruptedException {
        try {
            switch (statement) {
                case ShellStatement.Query(var yql) -> {
                    lastQuery = yql;
                    show(yql);
                }
                case ShellStatement.Command(var name, var argument) -> run(name, argument);
                case ShellStatement.Nothing() -> {}
            }
        } catch (UnreachableServerException e) {
            throw e;
        } catch (IOException e) {
            fail(String.valueOf(e.getMessage()).replace(GROUP, "\\group"));
        }
    }

    private void fail(String message) {
        isFailed = true;
        output.err().println(message);
    }

    private void run(String name, String argument) throws IOException, InterruptedException {
        Optional<PromptCommand> command = PromptCommand.named(name);
        if (command.isEmpty()) {
            fail("there is no command \\%s; \\help lists all".formatted(name));
            return;
        }
        switch (command.get()) {
            case HELP -> help();
            case EXPLAIN -> explain(argument.isEmpty() ? lastQuery : argument);
            case SCHEMAS -> schemas();
            case DESCRIBE -> describe(argument);
            case GROUP -> group(argument);
            case SET -> set(argument);
            case UNSET -> parameters.remove(argument);
            case TIMING -> isTimed = isOn(argument, isTimed);
            case JSON -> isJson = isOn(argument, isJson);
            case QUIT -> isEnded = true;
        }
    }

    private boolean isOn(String argument, boolean before) {
        return switch (argument) {
            case "on" -> true;
            case "off" -> false;
            default -> {
                fail("expected on or off, found '%s'".formatted(argument));
                yield before;
            }
        };
    }

    private void help() {
        output.out()
                .println(
                        "Words are searched. A query in YQL ends with a semicolon and can have several lines.");
        PromptCommand.all().forEach(command -> output.out().println(command.help()));
    }

    private ClientQuery query(String yql) {
        ClientQuery query =
                (ClientQuery.isYql(yql) ? ClientQuery.of(yql) : ClientQuery.ofWords(yql))
                        .withParameter("strict", true);
        for (Map.Entry<String, String> each : parameters.entrySet()) {
            query = query.withParameter(each.getKey(), each.getValue());
        }
        return query;
    }

    private void show(String yql) throws IOException, InterruptedException {
        long begin = System.nanoTime();
        ClientQuery query = isJson ? query(yql) : query(yql).withDates();
        GroupSearch.Searched searched = groups.search(query);
        QueryAnswer answer = searched.answer();
        double millis = (System.nanoTime() - begin) / 1e6;
        if (isJson) {
            output.out().println("{\"root\":" + answer.root() + "}");
        } else {
            HitTable.lines(
                            answer,
                            new HitTable.Form(
                                    output.columns(),
                                    output.isColored(),
                                    ClientQuery.isYql(yql) ? MarkedWords.NONE : MarkedWords.of(yql),
                                    "\\json on"))
                    .forEach(output.out()::println);
            String time = isTimed ? String.format(Locale.ROOT, ", %.1f ms", millis) : "";
            output.out().println(CountLine.of(answer, searched.group()) + time);
            if (answer.totalCount() == 0 && answer.isComplete()) {
                for (String each : groups.advice(query, searched.group())) {
                    output.out().println(SETTING.matcher(each).replaceFirst("\\\\set $1"));
                }
            }
        }
        noteErrors(answer);
    }

    private void noteErrors(QueryAnswer answer) {
        answer.errors().forEach(output.err()::println);
        isFailed |= !answer.isComplete();
    }

    private void explain(String yql) throws IOException, InterruptedException {
        if (yql.isEmpty()) {
            fail("there is no query to explain: \\explain select …;");
            return;
        }
        QueryAnswer answer =
                groups.search(query(yql).withParameter("trace.explain", true)).answer();
        JsonNode plan = answer.trace().path("plan");
        if (isJson) {
            output.out().println(plan);
        } else {
            new PlanTree(output.isColored()).lines(plan).forEach(output.out()::println);
        }
        noteErrors(answer);
    }

    private void schemas() throws IOException, InterruptedException {
        var table = new ResultTable(List.of("type", "fields", "rank profiles"));
        names().types()
                .forEach((name, type) ->
                        table.add(
                                List.of(
                                        name,
                                        Integer.toString(type.fields().size()),
                                        String.join(", ", type.profiles().keySet()))));
        print(table);
    }

    private void describe(String name) throws IOException, InterruptedException {
        SchemaNames.Type type = names().types().get(name);
        if (type == null) {
            fail("there is no document type '%s'; \\schemas lists all".formatted(name));
            return;
        }
        var table = new ResultTable(List.of("field", "type"));
        type.fields().forEach(field -> table.add(List.of(field.name(), field.type())));
        type.fieldsets().forEach(fieldset -> table.add(List.of(fieldset, "fieldset")));
        print(table);
    }

    private void print(ResultTable table) {
        table.lines(output.columns(), output.isColored()).forEach(output.out()::println);
    }

    private void group(String name) {
        parameters.remove(name.isEmpty() ? GROUP : ALL);
        parameters.put(name.isEmpty() ? ALL : GROUP, name.isEmpty() ? "true" : name);
    }

    private void set(String argument) {
        int equal = argument.indexOf('=');
        if (argument.isEmpty()) {
            parameters.forEach((name, value) -> output.out().println(name + "=" + value));
        } else if (equal < 1) {
            fail("expected NAME=VALUE, found '%s'".formatted(argument));
        } else {
            parameters.put(argument.substring(0, equal), argument.substring(equal + 1));
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
