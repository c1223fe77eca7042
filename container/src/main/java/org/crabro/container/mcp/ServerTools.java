package org.crabro.container.mcp;

import io.modelcontextprotocol.common.McpTransportContext;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.json.schema.JsonSchemaValidator;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.McpStatelessServerFeatures.SyncToolSpecification;
import io.modelcontextprotocol.spec.McpSchema;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.config.schema.DocumentSummary;
import org.crabro.document.DocumentId;
import org.crabro.document.InvalidDocumentException;
import org.crabro.document.memory.MemoryRefusedException;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

/** The tools of the server: search, get, visit and describe. None of them changes documents. */
public final class ServerTools {
    /** The key of the HTTP request in the context of a tool. */
    static final String REQUEST = "request";

    private static final Logger LOG = LoggerFactory.getLogger(ServerTools.class);

    private static final JsonMapper JSON = new JsonMapper();

    /** The parameter of queries that the argument {@code group} sets. */
    private static final String GROUP = "streaming.groupname";

    private static final Pattern OF_GROUP = Pattern.compile(Pattern.quote(GROUP) + "\\b");

    /** A language model waits longer than a person. */
    private static final String SEARCH_TIMEOUT = "10s";

    private static final String SUMMARY = "presentation.summary";

    /** What hits show, unless a call has other parameters: the parts that match, without tags. */
    private static final Map<String, Object> PARTS =
            Map.of(
                    SUMMARY,
                    DocumentSummary.SNIPPETS,
                    "presentation.bolding",
                    false,
                    "presentation.bolding.separator",
                    " … ");

    private final Handler endpoints;
    private final String description;
    private final VisitPaths visits;
    private final String version;

    /**
     * @param endpoints answers queries at {@code /search/} and documents below {@code /document/v1}
     * @param model the application
     * @param version of the server
     */
    public ServerTools(Handler endpoints, ApplicationModel model, String version) {
        this.endpoints = endpoints;
        this.description = SchemaDescription.of(model);
        this.visits = new VisitPaths(model);
        this.version = version;
    }

    /** What a tool does. */
    private interface Work {
        InnerCall.Reply reply(InnerCall call, ToolArguments arguments)
                throws IOException, InterruptedException;
    }

    /** Answers the requests of a transport. Returns the names of the tools. */
    Set<String> serve(HandlerTransport transport, McpJsonMapper mapper) {
        List<SyncToolSpecification> tools = List.of(search(), get(), visit(), describe());
        McpServer.sync(transport)
                .jsonMapper(mapper)
                // Tools check their arguments themselves, with a message for the caller.
                .jsonSchemaValidator((_, _) -> valid())
                .validateToolInputs(false)
                // The thread of the request runs the tool.
                .immediateExecution(true)
                .serverInfo("crabro", version)
                .instructions(
                        "Search and read documents. Call describe first: it lists document types, their fields and rank profiles. Cite the ids of documents that an answer is based on.")
                .capabilities(McpSchema.ServerCapabilities.builder().tools(false).build())
                .tools(tools)
                .build();
        return tools.stream().map(each -> each.tool().name()).collect(Collectors.toSet());
    }

    private static JsonSchemaValidator.ValidationResponse valid() {
        return JsonSchemaValidator.ValidationResponse.asValid("");
    }

    private SyncToolSpecification search() {
        return tool(
                "search",
                "Searches documents, and returns hits as JSON. Needs 'query' or 'yql'. The 'id' of a hit is that of its document: cite it, and call get to read the whole document. Long texts of hits are cut to the parts that match, with … between them. Groups hold the documents of one user; a caller with access to some groups must name one.",
                Map.of(
                        "query", text("words to search, as a user writes them"),
                        "yql", text("a YQL query, such as: select * from mail where year > 2020"),
                        "group", text("the group to search"),
                        "hits", number("how many hits to return; 10 by default"),
                        "offset", number("how many hits to skip"),
                        "ranking", text("a rank profile"),
                        "parameters",
                                Map.of(
                                        "type",
                                        "object",
                                        "description",
                                        "further parameters of the query API, such as {\"input.query(q)\": \"embed(@query)\"}")),
                Set.of(),
                (call, arguments) -> {
                    var body = new LinkedHashMap<String, Object>(arguments.object("parameters"));
                    arguments.text("query").ifPresent(value -> body.put("query", value));
                    arguments.text("yql").ifPresent(value -> body.put("yql", value));
                    arguments.text("group").ifPresent(value -> body.put(GROUP, value));
                    arguments.whole("hits").ifPresent(value -> body.put("hits", value));
                    arguments.whole("offset").ifPresent(value -> body.put("offset", value));
                    arguments.text("ranking").ifPresent(value -> body.put("ranking", value));
                    body.putIfAbsent("timeout", SEARCH_TIMEOUT);
                    // So that 'get' can read each hit, whatever its summary shows.
                    body.put("presentation.documentIds", true);
                    PARTS.forEach(body::putIfAbsent);
                    if (body.containsKey("summary")) {
                        body.remove(SUMMARY);
                    }
                    return namingArguments(
                            call.post("/search/", JSON.writeValueAsBytes(body)), arguments);
                });
    }

    private SyncToolSpecification get() {
        return tool(
                "get",
                "Returns a document by its id as JSON.",
                Map.of("id", text("such as id:mail:mail:g=ann:1")),
                Set.of("id"),
                (call, arguments) -> {
                    DocumentId id;
                    try {
                        id = DocumentId.parse(arguments.text("id").orElseThrow());
                    } catch (InvalidDocumentException e) {
                        throw new InvalidArgumentException("id: " + e.getMessage());
                    }
                    return call.get(IdPath.of(id));
                });
    }

    private SyncToolSpecification visit() {
        return tool(
                "visit",
                "Returns documents page by page, as JSON with a continuation for the next page. The order is that of the store: the documents of a group are together, but neither groups nor documents are sorted by ids or fields. Use search with 'order by' in 'yql' for sorted documents.",
                Map.of(
                        "type", text("the document type"),
                        "group", text("the group to read"),
                        "selection", text("a condition, such as: mail.year > 2020"),
                        "count",
                                number(
                                        "how many documents; %d by default, at most %,d"
                                                .formatted(VisitPaths.DEFAULT, VisitPaths.MOST)),
                        "cluster", text("the content cluster, if there are several"),
                        "continuation", text("the continuation of the page before")),
                Set.of(),
                (call, arguments) -> namingArguments(call.get(visits.path(arguments)), arguments));
    }

    /** Returns a reply whose message names the arguments of tools. */
    private static InnerCall.Reply namingArguments(InnerCall.Reply reply, ToolArguments arguments) {
        if (reply.isSuccess()) {
            return reply;
        }
        String body = OF_GROUP.matcher(reply.body()).replaceAll("the argument 'group'");
        boolean needsGroup =
                reply.status() == HttpStatus.FORBIDDEN_403 && arguments.text("group").isEmpty();
        return new InnerCall.Reply(
                reply.status(),
                needsGroup ? body + "; the argument 'group' names the group to read" : body);
    }

    private SyncToolSpecification describe() {
        return tool(
                "describe",
                "Returns the document types with their fields, and the rank profiles with their inputs, as JSON.",
                Map.of(),
                Set.of(),
                (_, _) -> new InnerCall.Reply(200, description));
    }

    private static Map<String, Object> text(String description) {
        return Map.of("type", "string", "description", description);
    }

    private static Map<String, Object> number(String description) {
        return Map.of("type", "integer", "description", description);
    }

    private SyncToolSpecification tool(
            String name,
            String description,
            Map<String, ?> arguments,
            Set<String> required,
            Work work) {
        McpSchema.Tool tool =
                McpSchema.Tool.builder(
                                name,
                                Map.of(
                                        "type",
                                        "object",
                                        "properties",
                                        arguments,
                                        "required",
                                        List.copyOf(required),
                                        "additionalProperties",
                                        false))
                        .description(description)
                        .annotations(
                                McpSchema.ToolAnnotations.builder()
                                        .readOnlyHint(true)
                                        .openWorldHint(false)
                                        .build())
                        .build();
        return new SyncToolSpecification(
                tool,
                (context, request) -> {
                    try {
                        var given = ToolArguments.of(request.arguments(), arguments.keySet());
                        given.require(required);
                        return result(work.reply(inner(context), given));
                    } catch (InvalidArgumentException | IOException e) {
                        return failed(String.valueOf(e.getMessage()));
                    } catch (MemoryRefusedException e) {
                        return failed(
                                "status %d: %s"
                                        .formatted(
                                                e.isTooLarge()
                                                        ? HttpStatus.PAYLOAD_TOO_LARGE_413
                                                        : HttpStatus.TOO_MANY_REQUESTS_429,
                                                e.getMessage()));
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                        return failed("the server stops");
                    } catch (RuntimeException e) {
                        LOG.error("the tool {} failed", name, e);
                        return failed("the tool failed: see the server's log");
                    }
                });
    }

    private InnerCall inner(McpTransportContext context) {
        if (context.get(REQUEST) instanceof Request request) {
            return new InnerCall(endpoints, request);
        }
        throw new IllegalStateException("a tool was called without a request");
    }

    private static McpSchema.CallToolResult result(InnerCall.Reply reply) {
        return reply.isSuccess()
                ? McpSchema.CallToolResult.builder()
                        .addTextContent(reply.body())
                        .isError(false)
                        .build()
                : failed("status %d: %s".formatted(reply.status(), reply.body()));
    }

    private static McpSchema.CallToolResult failed(String problem) {
        return McpSchema.CallToolResult.builder().addTextContent(problem).isError(true).build();
    }
}
