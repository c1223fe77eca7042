package org.crabro.container.search;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A page of hits.
 *
 * @param totalCount the number of documents that matched
 * @param next the value of the parameter {@code after} for the next page; empty if there is none
 * @param sections the sources whose hits are groups of their own; empty if all hits are one list
 * @param answer the text that a language model generates from the hits; empty for none
 */
public record ResultPage(
        List<ResultHit> hits,
        long totalCount,
        Optional<String> next,
        List<ResultSection> sections,
        Optional<PageAnswer> answer) {
    /** No hits. */
    static final ResultPage EMPTY = new ResultPage(List.of(), 0, Optional.empty());

    public ResultPage {
        hits = List.copyOf(hits);
        sections = List.copyOf(sections);
    }

    /** A page whose hits are one list. */
    public ResultPage(List<ResultHit> hits, long totalCount, Optional<String> next) {
        this(hits, totalCount, next, List.of());
    }

    /** A page without an answer. */
    public ResultPage(
            List<ResultHit> hits,
            long totalCount,
            Optional<String> next,
            List<ResultSection> sections) {
        this(hits, totalCount, next, sections, Optional.empty());
    }

    /** Returns the same page with other hits. */
    ResultPage with(List<ResultHit> others) {
        return new ResultPage(others, totalCount, next, sections, answer);
    }

    /** Returns the same page with an answer. */
    ResultPage with(Optional<PageAnswer> other) {
        return new ResultPage(hits, totalCount, next, sections, other);
    }

    /** Returns the hits of a section. */
    public List<ResultHit> hits(ResultSection section) {
        return hits.stream().filter(hit -> hit.source().equals(section.source())).toList();
    }

    /** Returns the hits that are in no section. */
    public List<ResultHit> loose() {
        if (sections.isEmpty()) {
            return hits;
        }
        Set<String> sources =
                sections.stream().map(ResultSection::source).collect(Collectors.toSet());
        return hits.stream().filter(hit -> !sources.contains(hit.source())).toList();
    }

    /** Returns whether there is neither a hit nor a group. */
    boolean isEmpty() {
        if (!hits.isEmpty() || answer.isPresent()) {
            return false;
        }
        for (ResultSection section : sections) {
            if (!section.groups().isEmpty()) {
                return false;
            }
        }
        return true;
    }
}
