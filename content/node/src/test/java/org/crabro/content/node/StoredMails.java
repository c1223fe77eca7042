package org.crabro.content.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.content.search.execution.Mails;
import org.crabro.content.storage.journal.LogFiles;
import org.crabro.document.DocumentId;
import org.crabro.document.FieldValue;
import org.crabro.document.FieldValue.StringValue;
import org.crabro.protocol.feed.WriteReply;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.search.Scope;
import org.crabro.protocol.search.SearchReply;

/** Mails in content nodes. */
final class StoredMails {
    private StoredMails() {}

    static ApplicationModel model() {
        return NodeFixture.model(Map.of("mail", Mails.SCHEMA));
    }

    /** Opens a node over a directory, with two partitions; it does not flush when it is closed. */
    static NodeFixture open(Path directory) throws IOException {
        return NodeFixture.open(NodeFixture.settings(directory)).serving(model());
    }

    /** Opens a node over files of a test, with the same settings. */
    static NodeFixture open(LogFiles files) throws IOException {
        return NodeFixture.open(NodeFixture.settings(), files).serving(model());
    }

    static DocumentId id(String group, int number) {
        return DocumentId.parse("id:post:mail:g=%s:%d".formatted(group, number));
    }

    /** Returns the name of a group that is in a partition. */
    static String group(int partition) {
        for (int i = 0; ; i++) {
            String group = "group" + i;
            if (NodeFixture.PARTITIONS.of(id(group, 0).location()) == partition) {
                return group;
            }
        }
    }

    /** Stores a mail; returns when it is acknowledged. */
    static void put(NodeFixture node, String group, int number, String title) {
        put(node, group, number, Map.of("title", new StringValue(title)));
    }

    /** Stores a mail with some fields; returns when it is acknowledged. */
    static void put(NodeFixture node, String group, int number, Map<String, FieldValue> fields) {
        assertThat(node.put(id(group, number), fields)).isInstanceOf(WriteReply.Stored.class);
    }

    /** Returns the title of a mail; empty if the mail or its title does not exist. */
    static Optional<String> title(NodeFixture node, DocumentId id) {
        return node.document(id)
                .flatMap(mail -> mail.value("title"))
                .map(title -> ((StringValue) title).value());
    }

    /** Returns mails that match, unranked, with a trace. */
    static SearchReply.Found search(NodeFixture node, QueryNode tree, Scope scope, int hits) {
        return node.search("mail", tree, scope, hits);
    }
}
