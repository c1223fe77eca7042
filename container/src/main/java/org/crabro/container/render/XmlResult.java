package org.crabro.container.render;

import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.nio.charset.Charset;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;
import org.crabro.container.query.Presentation;
import org.crabro.container.query.ResultError;
import org.crabro.container.search.ResultCoverage;
import org.crabro.container.search.ResultGroups;
import org.crabro.container.search.ResultHit;
import org.crabro.container.search.ResultSection;
import org.crabro.container.search.SearchResult;
import tools.jackson.databind.JsonNode;

/**
 * Writes a result as XML: a {@code result} whose fields have names, or a {@code page} whose fields
 * are elements of their own. Values have the same structure as in JSON: elements of arrays and of
 * objects are items. Characters that XML does not allow are replaced.
 *
 * <p>Each element begins on a line of its own, indented by its depth.
 */
final class XmlResult {
    private static final XMLOutputFactory XML = XMLOutputFactory.newDefaultFactory();
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_.-]*");
    private static final Pattern FORBIDDEN =
            Pattern.compile("[^\\t\\n\\r -\\x{D7FF}\\x{E000}-\\x{FFFD}\\x{10000}-\\x{10FFFF}]");

    private static final String INDENT = "  ";

    /** Deeper elements are indented like those of this depth. */
    private static final int INDENTED_DEPTH = 10;

    private static final double NANOS_PER_SECOND = 1e9;

    private final SearchResult result;
    private final JsonRenderer.Parts json;
    private final boolean isPage;
    private final XMLStreamWriter out;

    /** The number of open elements. */
    private int depth;

    /** Whether an element ended after the last one began. */
    private boolean hasElements;

    private XmlResult(SearchResult result, JsonRenderer.Parts json, XMLStreamWriter out) {
        this.result = result;
        this.json = json;
        this.isPage = result.output().presentation().output().format() == Presentation.Format.PAGE;
        this.out = out;
    }

    /**
     * Writes {@code result} one hit at a time, in the encoding asked for. Does not close the
     * stream.
     */
    static void write(
            SearchResult result, Duration queryTime, JsonRenderer.Parts json, OutputStream stream)
            throws IOException {
        Charset charset = result.output().presentation().output().xmlCharset();
        var writer = new OutputStreamWriter(stream, charset);
        writer.write(
                "<?xml version=\"1.0\" encoding=\"%s\"?>"
                        .formatted(charset.name().toLowerCase(Locale.ROOT)));
        try {
            XMLStreamWriter out = XML.createXMLStreamWriter(writer);
            new XmlResult(result, json, out).write(queryTime);
            out.flush();
        } catch (XMLStreamException e) {
            throw new IOException(e);
        }
        writer.flush();
    }

    private void write(Duration queryTime) throws XMLStreamException {
        start(isPage ? "page" : "result");
        if (isPage) {
            attribute("version", "1.0");
        } else {
            attribute("total-hit-count", Long.toString(result.page().totalCount()));
            if (result.coverage().isPresent()) {
                coverage(result.coverage().get());
            }
            if (result.output().presentation().timing()) {
                timing(queryTime.toNanos() / NANOS_PER_SECOND);
            }
        }
        errors(result.errors());
        if (isPage) {
            start("content");
        }
        for (ResultSection section : result.page().sections()) {
            section(section);
        }
        for (ResultHit hit : result.page().loose()) {
            hit(json.hit(hit));
        }
        for (ResultGroups groups : result.groups()) {
            group(json.groups(groups));
        }
        if (isPage) {
            end();
        }
        end();
        out.writeCharacters("\n");
    }

    private void coverage(ResultCoverage coverage) throws XMLStreamException {
        attribute("coverage-docs", Long.toString(coverage.documents().documents()));
        attribute("coverage-nodes", Integer.toString(coverage.nodes()));
        attribute("coverage-full", Boolean.toString(coverage.isFull()));
        attribute("coverage", Integer.toString(coverage.percent()));
        attribute("results-full", Integer.toString(coverage.fullClusters()));
        attribute("results", Integer.toString(coverage.clusters()));
    }

    /** The time of summaries is 0, because content nodes return them with the hits. */
    private void timing(double seconds) throws XMLStreamException {
        attribute("querytime", Double.toString(seconds));
        attribute("summaryfetchtime", "0.0");
        attribute("searchtime", Double.toString(seconds));
    }

    /** Writes the first error, then all of them with their messages. */
    private void errors(List<ResultError> errors) throws XMLStreamException {
        if (errors.isEmpty()) {
            return;
        }
        start("error");
        attribute("code", Integer.toString(errors.getFirst().code().number()));
        text(errors.getFirst().code().summary());
        end();
        start("errordetails");
        for (ResultError error : errors) {
            start("error");
            if (!error.source().isEmpty()) {
                attribute("source", error.source());
            }
            attribute("error", error.code().summary());
            attribute("code", Integer.toString(error.code().number()));
            text(error.message());
            end();
        }
        end();
    }

    private void section(ResultSection section) throws XMLStreamException {
        start("group");
        attribute(isPage ? "relevance" : "relevancy", "1.0");
        attribute("source", section.source());
        if (isPage) {
            start("id");
            text(section.id());
            end();
        }
        for (ResultHit hit : result.page().hits(section)) {
            hit(json.hit(hit));
        }
        for (ResultGroups groups : section.groups()) {
            group(json.groups(groups));
        }
        end();
    }

    private void hit(JsonNode hit) throws XMLStreamException {
        String relevance = hit.path("relevance").asString();
        start("hit");
        attribute("type", "summary");
        attribute(isPage ? "relevance" : "relevancy", relevance);
        attribute("source", hit.path("source").asString());
        if (isPage) {
            element("id", hit.path("id"));
        } else {
            start("field");
            attribute("name", "relevancy");
            text(relevance);
            end();
        }
        for (Map.Entry<String, JsonNode> field : hit.path("fields").properties()) {
            if (isPage && NAME.matcher(field.getKey()).matches()) {
                element(field.getKey(), field.getValue());
            } else {
                named("field", "name", field);
            }
        }
        end();
    }

    private void group(JsonNode group) throws XMLStreamException {
        start("group");
        attribute("relevance", group.path("relevance").asString());
        groupId(group);
        continuations(group);
        for (Map.Entry<String, JsonNode> field : group.path("fields").properties()) {
            named("output", "label", field);
        }
        for (JsonNode list : group.path("children")) {
            boolean isOfHits = list.path("id").asString().startsWith("hitlist:");
            start(isOfHits ? "hitlist" : "grouplist");
            attribute("label", list.path("label").asString());
            continuations(list);
            for (JsonNode child : list.path("children")) {
                if (isOfHits) {
                    hit(child);
                } else {
                    group(child);
                }
            }
            end();
        }
        end();
    }

    /** Writes the type of the id, such as {@code long_bucket}, and the value or the limits. */
    private void groupId(JsonNode group) throws XMLStreamException {
        start("id");
        attribute("type", group.path("id").asString().split(":", -1)[1]);
        for (Map.Entry<String, JsonNode> limit : group.path("limits").properties()) {
            element(limit.getKey(), limit.getValue());
        }
        if (group.has("value")) {
            value(group.path("value"));
        }
        end();
    }

    private void continuations(JsonNode of) throws XMLStreamException {
        for (Map.Entry<String, JsonNode> page : of.path("continuation").properties()) {
            named("continuation", "id", page);
        }
    }

    private void named(String element, String attribute, Map.Entry<String, JsonNode> entry)
            throws XMLStreamException {
        start(element);
        attribute(attribute, entry.getKey());
        value(entry.getValue());
        end();
    }

    private void element(String name, JsonNode value) throws XMLStreamException {
        start(name);
        value(value);
        end();
    }

    private void start(String name) throws XMLStreamException {
        line();
        out.writeStartElement(name);
        depth++;
        hasElements = false;
    }

    private void end() throws XMLStreamException {
        depth--;
        if (hasElements) {
            line();
        }
        out.writeEndElement();
        hasElements = true;
    }

    private void line() throws XMLStreamException {
        out.writeCharacters("\n" + INDENT.repeat(Math.min(depth, INDENTED_DEPTH)));
    }

    private void value(JsonNode value) throws XMLStreamException {
        if (value.isObject()) {
            for (Map.Entry<String, JsonNode> entry : value.properties()) {
                named("item", "name", entry);
            }
        } else if (value.isArray()) {
            for (JsonNode item : value) {
                element("item", item);
            }
        } else if (!value.isNull()) {
            text(value.asString());
        }
    }

    private void attribute(String name, String value) throws XMLStreamException {
        out.writeAttribute(name, clean(value));
    }

    private void text(String text) throws XMLStreamException {
        out.writeCharacters(clean(text));
    }

    private static String clean(String text) {
        return FORBIDDEN.matcher(text).replaceAll("\uFFFD");
    }
}
