package org.crabro.content.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.crabro.config.application.DirectoryFiles;
import org.crabro.config.deploy.ApplicationCompiler;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.content.storage.journal.MemoryLogFiles;
import org.crabro.document.DocumentId;
import org.crabro.document.FieldValue;
import org.crabro.document.FieldValue.IntValue;
import org.crabro.document.FieldValue.StringValue;
import org.crabro.protocol.feed.WriteReply;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.TermSettings;
import org.crabro.protocol.search.Scope;
import org.crabro.protocol.search.SearchReply;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Children on one node of the process, and their parents on another one. */
class GlobalDocumentsTest {
    private static final QueryNode BY_KEITH =
            new QueryNode.Term("name", "keith", TermSettings.DEFAULT);

    @TempDir Path directory;
    private NodeFixture parents;
    private NodeFixture children;
    private final AtomicBoolean isCurrent = new AtomicBoolean(true);

    @BeforeEach
    void open() throws Exception {
        ApplicationModel model = model();
        parents =
                NodeFixture.open(NodeFixture.settings(), new MemoryLogFiles())
                        .serving(model.part((_, type) -> type.equals("artist")));
        children = NodeFixture.open(NodeFixture.settings(), new MemoryLogFiles());
        children.node()
                .findGlobals(
                        new GlobalDocuments(
                                Set.of("artist"),
                                () ->
                                        Optional.of(
                                                new GlobalDocuments.Node(
                                                        parents.node(), isCurrent::get))));
        children.activate(model.part((_, type) -> type.equals("song")));
        put(
                parents,
                "id:a:artist::1",
                Map.of("name", new StringValue("keith"), "fans", new IntValue(7)));
        put(children, "id:a:song::1", Map.of("artist", new StringValue("id:a:artist::1")));
        put(children, "id:a:song::2", Map.of("artist", new StringValue("id:a:artist::2")));
    }

    @AfterEach
    void close() {
        children.close();
        parents.close();
    }

    private static void put(NodeFixture node, String id, Map<String, FieldValue> fields) {
        assertThat(node.put(DocumentId.parse(id), fields)).isInstanceOf(WriteReply.Stored.class);
    }

    @Test
    void findsParentsOnTheOtherNode() {
        assertThat(search(BY_KEITH)).isInstanceOf(SearchReply.Found.class);
        assertThat(children.search("song", BY_KEITH, new Scope.Everything(), 10).totalCount())
                .isEqualTo(1);
        put(
                parents,
                "id:a:artist::2",
                Map.of("name", new StringValue("keith"), "fans", new IntValue(9)));
        assertThat(children.search("song", BY_KEITH, new Scope.Everything(), 10).totalCount())
                .isEqualTo(2);
    }

    @Test
    void isUnavailableForQueriesOfParentsThatAreMissing() {
        isCurrent.set(false);

        assertThat(search(BY_KEITH))
                .isEqualTo(
                        new SearchReply.Unavailable(
                                "the node does not have all documents of global types yet"));
        assertThat(
                        children.search("song", new QueryNode.All(), new Scope.Everything(), 0)
                                .totalCount())
                .as("without imported fields")
                .isEqualTo(2);

        isCurrent.set(true);
        assertThat(search(BY_KEITH)).isInstanceOf(SearchReply.Found.class);
    }

    private SearchReply search(QueryNode tree) {
        return children.node().search(children.request("song", tree, new Scope.Everything(), 10));
    }

    private ApplicationModel model() throws Exception {
        Files.writeString(
                directory.resolve("services.xml"),
                """
                <services version='1.0'>
                  <container id='default' version='1.0'><search/></container>
                  <content id='music' version='1.0'>
                    <min-redundancy>1</min-redundancy>
                    <documents>
                      <document type='song' mode='index'/>
                      <document type='artist' mode='index' global='true'/>
                    </documents>
                  </content>
                </services>
                """);
        Files.createDirectories(directory.resolve("schemas"));
        Files.writeString(
                directory.resolve("schemas/artist.sd"),
                """
                schema artist {
                    document artist {
                        field name type string { indexing: attribute }
                        field fans type int { indexing: attribute }
                    }
                }
                """);
        Files.writeString(
                directory.resolve("schemas/song.sd"),
                """
                schema song {
                    document song {
                        field artist type reference<artist> { indexing: attribute }
                    }
                    import field artist.name as name {}
                    import field artist.fans as fans {}
                }
                """);
        return ApplicationCompiler.compile(DirectoryFiles.of(directory), 1).model();
    }
}
