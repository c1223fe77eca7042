package org.crabro.client.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class PlanTreeTest {
    private static final String PLAN =
            """
            {"millis": 3.1,
             "phases": [{"name": "parse", "millis": 0.4}, {"name": "search", "millis": 2.7}],
             "searches": [{
               "cluster": "content", "schema": "music", "profile": "default",
               "nodes": [{
                 "partitions": 1, "threads": 2, "documents": 1000, "matches": 125,
                 "cpuMillis": 2.0, "bytes": 4096, "deviceBytes": 51200,
                 "phases": [{"name": "plan", "millis": 0.2}, {"name": "match", "millis": 1.5}],
                 "reads": [
                   {"place": "recent", "blocks": 1, "skippedBlocks": 0, "rows": 10, "bytes": 96},
                   {"place": "runs", "runs": 2, "blocks": 2, "skippedBlocks": 7, "rows": 290, "bytes": 400000},
                   {"place": "cache", "blocks": 2, "bytes": 640}],
                 "condition": {
                   "operator": "and", "candidates": 300, "matches": 125, "expected": 130, "skippedBlocks": 7, "millis": 0.5,
                   "children": [
                     {"operator": "number", "text": "year from 2001", "candidates": 300, "matches": 250, "expected": 260, "skippedBlocks": 7, "millis": 0.1},
                     {"operator": "text", "text": "title \\"blue\\"", "candidates": 250, "matches": 125, "expected": 130, "skippedBlocks": 0, "millis": 0.4}]}}]}],
             "hits": [{"id": "id:web:music:g=anna:1", "relevance": 0.5, "features": {"bm25(title)": 0.5, "near": null}}]}
            """;

    @Test
    void drawsATree() {
        assertThat(String.join("\n", new PlanTree(false).lines(new JsonMapper().readTree(PLAN))))
                .isEqualTo(
                        """
                        query: 3.100 ms: parse 0.400 ms, search 2.700 ms
                        content.music, rank profile default
                        └─ 125 of 1,000 documents match; 1 partition, 2 threads, 2.0 ms of CPU, 50 KiB from the disk
                           ├─ times: plan 0.200 ms, match 1.500 ms
                           ├─ read
                           │  ├─ recent documents: 1 block read, 0 skipped, 10 documents, 96 bytes
                           │  ├─ 2 runs: 2 blocks read, 7 skipped, 290 documents, 391 KiB
                           │  └─ cache: 2 entries of blocks used, 640 bytes
                           └─ conditions
                              └─ and: 125 of 300 (130 expected), skipped 7 blocks, 0.500 ms
                                 ├─ year from 2001: 250 of 300 (260 expected), skipped 7 blocks, 0.100 ms
                                 └─ title "blue": 125 of 250 (130 expected), 0.400 ms
                        hits
                        └─ 0.5000  id:web:music:g=anna:1  bm25(title) 0.5000  near null\
                        """);
    }

    @Test
    void writesNamesInBoldOnAColoredTerminal() {
        assertThat(new PlanTree(true).lines(new JsonMapper().readTree(PLAN)).getFirst())
                .startsWith("\u001b[1mquery");
    }
}
