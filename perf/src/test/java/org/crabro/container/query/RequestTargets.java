package org.crabro.container.query;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.crabro.perf.fuzz.FuzzTarget;
import org.crabro.protocol.search.HitPosition;
import org.crabro.protocol.search.SortKey;

/** The parsers of search requests. */
public final class RequestTargets {
    private RequestTargets() {}

    /** Returns the targets. */
    public static List<FuzzTarget> all() {
        List<SortKey> sorting = SortingParser.parse("-year word");
        return List.of(
                FuzzTarget.ofText(
                        "search-bodies",
                        text -> JsonBody.parameters(text, new ParameterValues()),
                        IllegalQueryException.class),
                FuzzTarget.ofBytes(
                        "url-parameters",
                        RequestTargets::decode,
                        // The query string is not URL-encoded.
                        IllegalArgumentException.class,
                        org.eclipse.jetty.util.Utf8StringBuilder.Utf8IllegalArgumentException
                                .class),
                FuzzTarget.ofText("sortings", SortingParser::parse, IllegalQueryException.class),
                FuzzTarget.ofText(
                        "cursors", text -> cursor(text, sorting), IllegalQueryException.class),
                FuzzTarget.ofText(
                        "grouping-continuations",
                        text -> GroupingContinuation.pages(List.of(text)),
                        IllegalQueryException.class));
    }

    /** Decodes from bytes and from text, and compares the results. */
    private static void decode(byte[] bytes) {
        String input = new String(bytes, UTF_8);
        Map<String, String> fromBytes = new LinkedHashMap<>();
        Optional<IllegalArgumentException> refusal = Optional.empty();
        try {
            UrlParameters.decode(ByteBuffer.wrap(input.getBytes(UTF_8)), fromBytes::put);
        } catch (IllegalArgumentException e) {
            refusal = Optional.of(e);
        }
        Map<String, String> fromText = new LinkedHashMap<>();
        try {
            UrlParameters.decode(input, fromText::put);
        } catch (IllegalArgumentException e) {
            same(true, refusal.isPresent());
            throw e;
        }
        same(Optional.empty(), refusal);
        same(fromBytes, fromText);
    }

    /** A cursor of a position reads back as the position. */
    private static void cursor(String text, List<SortKey> sorting) {
        HitPosition position = Cursor.parse(text, sorting);
        String written = Cursor.text(position, sorting).orElseThrow();
        same(position, Cursor.parse(written, sorting));
    }

    private static void same(Object first, Object second) {
        if (!first.equals(second)) {
            throw new AssertionError("was " + first + " and reads back as " + second);
        }
    }
}
