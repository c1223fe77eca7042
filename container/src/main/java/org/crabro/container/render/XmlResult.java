package org.crabro.container.render;

import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
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
import org.crabro.container.search.SearchResult;
import tools.jackson.databind.JsonNode;

/**
 * Writes a result as XML: a {@code result} whose fields have names, or a {@code page} whose fields
 * are elements of their own. Values have the same structure as in JSON: elements of arrays and of
 * objects are items. Characters that XML does not allow are replaced.
 */
final class XmlResult {
    private static final XMLOutputFactory XML = XMLOutputFactory.newDefaultFactory();
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_.-]*");
    private static final Pattern FORBIDDEN =
            Pattern.compile("[^\\t\\n\\r -\\x{D7FF}\\x{E000}-\\x{FFFD}\\x{10000}-\\x{10FFFF}]");

    private final SearchResult result;
    private final Json json;
    private final boolean isPage;
    private final XMLStreamWriter out;

    /** Writes parts of a result as JSON. */
    interface Json {
        JsonNode hit(ResultHit hit);

        JsonNode groups(ResultGroups groups);
    }

    private XmlResult(SearchResult result, Json json, XMLStreamWriter out) {
        this.result = result;
        this.json = json;
        this.isPage = result.output().presentation().output().format() == Presentation.Format.PAGE;
        this.out = out;
    }

    /** Writes {@code result} one hit at a time. {@code stream} stays open. */
    static void write(SearchResult result, Json json, OutputStream stream) throws IOException {
        var writer = new OutputStreamWriter(stream, StandardCharsets.UTF_8);
        try {
            XMLStreamWriter out = XML.createXMLStreamWriter(writer);
            new XmlResult(result, json, out).write();
            out.flush();
        } catch (XMLStreamException e) {
            throw new IOException(e);
        }
        writer.flush();
    }

    private void write() throws XMLStreamException {
        out.writeStartDocument("utf-8", "1.0");
        out.writeStartElement(isPage ? "page" : "result");
        if (isPage) {
            attribute("version", "1.0");
        } else {
            attribute("total-hit-count", Long.toString(result.page().totalCount()));
            if (result.coverage().isPresent()) {
                coverage(result.coverage().get());
            }
        }
        for (ResultError error : result.errors()) {
            error(error);
        }
        if (isPage) {
            out.writeStartElement("content");
        }
        for (ResultHit hit : result.page().hits()) {
            hit(json.hit(hit));
        }
        for (ResultGroups groups : result.groups()) {
            group(json.groups(groups));
        }
        out.writeEndDocument();
    }

    private void coverage(ResultCoverage coverage) throws XMLStreamException {
        attribute("coverage", Integer.toString(coverage.percent()));
        attribute("coverage-docs", Long.toString(coverage.documents().documents()));
        attribute("coverage-nodes", Integer.toString(coverage.nodes()));
        attribute("coverage-full", Boolean.toString(coverage.isFull()));
        attribute("results", Integer.toString(coverage.clusters()));
        attribute("results-full", Integer.toString(coverage.fullClusters()));
    }

    private void error(ResultError error) throws XMLStreamException {
        out.writeStartElement("error");
        attribute("code", Integer.toString(error.code().number()));
        attribute("summary", error.code().summary());
        if (!error.source().isEmpty()) {
            attribute("source", error.source());
        }
        text(error.message());
        out.writeEndElement();
    }

    private void hit(JsonNode hit) throws XMLStreamException {
        out.writeStartElement("hit");
        attribute(isPage ? "relevance" : "relevancy", hit.path("relevance").asString());
        attribute("source", hit.path("source").asString());
        element("id", hit.path("id"));
        for (Map.Entry<String, JsonNode> field : hit.path("fields").properties()) {
            if (isPage && NAME.matcher(field.getKey()).matches()) {
                element(field.getKey(), field.getValue());
            } else {
                named("field", "name", field);
            }
        }
        out.writeEndElement();
    }

    private void group(JsonNode group) throws XMLStreamException {
        out.writeStartElement("group");
        attribute("id", group.path("id").asString());
        attribute("relevance", group.path("relevance").asString());
        if (group.has("value")) {
            attribute("value", group.path("value").asString());
        }
        for (Map.Entry<String, JsonNode> limit : group.path("limits").properties()) {
            attribute(limit.getKey(), limit.getValue().asString());
        }
        continuations(group);
        for (Map.Entry<String, JsonNode> field : group.path("fields").properties()) {
            named("output", "label", field);
        }
        for (JsonNode list : group.path("children")) {
            boolean isOfHits = list.path("id").asString().startsWith("hitlist:");
            out.writeStartElement(isOfHits ? "hitlist" : "grouplist");
            attribute("label", list.path("label").asString());
            continuations(list);
            for (JsonNode child : list.path("children")) {
                if (isOfHits) {
                    hit(child);
                } else {
                    group(child);
                }
            }
            out.writeEndElement();
        }
        out.writeEndElement();
    }

    private void continuations(JsonNode of) throws XMLStreamException {
        for (Map.Entry<String, JsonNode> page : of.path("continuation").properties()) {
            named("continuation", "id", page);
        }
    }

    private void named(String element, String attribute, Map.Entry<String, JsonNode> entry)
            throws XMLStreamException {
        out.writeStartElement(element);
        attribute(attribute, entry.getKey());
        value(entry.getValue());
        out.writeEndElement();
    }

    private void element(String name, JsonNode value) throws XMLStreamException {
        out.writeStartElement(name);
        value(value);
        out.writeEndElement();
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
