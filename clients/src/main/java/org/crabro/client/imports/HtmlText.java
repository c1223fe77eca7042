package org.crabro.client.imports;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;

/**
 * What a page of HTML shows.
 *
 * @param title of the page, or its first heading; empty if there is none
 * @param text without scripts and styles
 */
record HtmlText(Optional<String> title, String text) {
    /** Bytes of a page before which it names its character set. */
    private static final int META_BYTES_MAX = 1_024;

    private static final Pattern META =
            Pattern.compile("(?i)<meta[^>]{1,200}charset\\s{0,9}=\\s{0,9}[\"']?([\\w:.-]{1,40})");

    /** Returns what a page shows. */
    static HtmlText of(String html) {
        Document page = Jsoup.parse(html);
        page.select("script, style, noscript, template, svg").remove();
        Optional<String> title =
                Optional.of(page.title().strip())
                        .filter(each -> !each.isEmpty())
                        .or(() ->
                                Optional.ofNullable(page.selectFirst("h1, h2, h3"))
                                        .map(Element::text)
                                        .filter(each -> !each.isBlank()));
        return new HtmlText(title, page.body().text());
    }

    /** Returns the name of the character set that a page names itself. */
    static Optional<String> charset(byte[] page) {
        String head =
                new String(
                        page,
                        0,
                        Math.min(page.length, META_BYTES_MAX),
                        StandardCharsets.ISO_8859_1);
        Matcher meta = META.matcher(head);
        return meta.find() ? Optional.of(meta.group(1)) : Optional.empty();
    }

    /**
     * Decodes the bytes of a page. Without a given set, it is UTF-8, or what the page says.
     *
     * @param encoding the character set that a user gives
     */
    static DecodedBytes decoded(byte[] page, Optional<Charset> encoding) {
        return encoding.map(each -> DecodedBytes.in(each, page))
                .orElseGet(() ->
                        DecodedBytes.of(
                                page,
                                DecodedBytes.isUtf8(page) ? null : charset(page).orElse(null)));
    }
}
