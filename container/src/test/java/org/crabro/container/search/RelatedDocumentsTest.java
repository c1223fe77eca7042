package org.crabro.container.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.crabro.container.document.ReadReply;
import org.crabro.container.query.SearchSettings;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;
import org.crabro.document.FieldValue;
import org.crabro.protocol.feed.GetReply;
import org.crabro.protocol.query.QueryText;
import org.crabro.protocol.search.QueryInput;
import org.crabro.protocol.search.Scope;
import org.crabro.protocol.search.SearchHit;
import org.crabro.protocol.search.SearchRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The requests to content nodes in a search for documents similar to another one. */
class RelatedDocumentsTest {
    private static final String ID = "id:n:music:g=g:1";
    private static final FieldValue VECTOR =
            new FieldValue.TensorValue(MusicApplication.tensor(1, 2));

    /** A query of a group without any condition; its rank profile has two inputs that fit. */
    private static final String LIKE_IT =
            "streaming.groupname=g&restrict=music&ranking=near&relatedTo.queryTensorName=q"
                    + "&relatedTo.embeddingField=vector&relatedTo.id=";

    private final SearchServer server = new SearchServer();
    private final List<DocumentId> read = new ArrayList<>();

    @BeforeEach
    void start() throws Exception {
        server.start(SearchSettings.DEFAULT);
        reads(Map.of("vector", VECTOR));
    }

    @AfterEach
    void stop() throws Exception {
        server.stop();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    hits=10                                        | (nearest vector q 10)
                    hits=3&offset=4                                | (nearest vector q 7)
                    hits=0                                         | (nearest vector q 1)
                    hits=3&relatedTo.targetHits=50                 | (nearest vector q 50)
                    hits=3&collapsefield=year                      | (nearest vector q 8)
                    query=a                                        | (and (nearest vector q 10) default:a)
                    yql=select * from music where year > 3         | (and (nearest vector q 10) (range year <3;]))
                    yql=select * from music where true limit 2     | (nearest vector q 2)
                    recall=%2Ba                                    | (and (nearest vector q 10) (and true {filter}default:a))
                    relatedTo.summary=default&relatedTo.exploreAdditionalHits=5 | (nearest vector q 10)
                    """)
    void looksForTheNearestAmongWhatTheQueryFinds(String parameters, String tree) throws Exception {
        SearchRequest asked = asked(LIKE_IT + ID + "&" + parameters.replace("%2B", "+"));

        assertThat(QueryText.of(asked.query().tree())).isEqualTo(tree);
        assertThat(asked.query().ranking().inputs())
                .containsEntry("q", new QueryInput.TensorInput(MusicApplication.tensor(1, 2)));
        assertThat(read).containsExactly(DocumentId.parse(ID));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    id:n:music:g=g:1    |                                        | id != "id:n:music:g=g:1"
                    id:n:music:g=g:a"b\\ |                                       | id != "id:n:music:g=g:a\\"b\\\\"
                    id:n:music:g=g:1    | &streaming.selection=music.year > 3    | (music.year > 3) and (id != "id:n:music:g=g:1")
                    """)
    void leavesTheDocumentItselfOut(String id, String scope, String selection) throws Exception {
        String query = LIKE_IT + id + (scope == null ? "" : scope);
        SearchRequest asked =
                asked(scope == null ? query : query.replace("streaming.groupname=g&", ""));

        assertThat(asked.scope().documents())
                .isInstanceOfSatisfying(
                        Scope.Selected.class,
                        selected -> assertThat(selected.selection()).isEqualTo(selection));
    }

    @Test
    void rejectsASelectionThatClosesTheParenthesesOfAnother() throws Exception {
        String query = (LIKE_IT + ID).replace("streaming.groupname=g&", "");

        assertThat(get(query + "&streaming.selection=music) or (music"))
                .startsWith("HTTP/1.1 400")
                .contains("streaming.selection: ");
        assertThat(server.asked()).isEmpty();
    }

    @Test
    void givesTheVectorAsTheInputIsDeclared() throws Exception {
        SearchRequest asked = asked(LIKE_IT.replace("=q&", "=bytes&") + ID);

        assertThat(asked.query().ranking().inputs().get("bytes"))
                .hasToString("TensorInput[value=tensor<int8>(x[2]):[1, 2]]");
    }

    @Test
    void showsTheDocumentItselfWhereThatIsWanted() throws Exception {
        SearchRequest asked = asked(LIKE_IT + ID + "&relatedTo.excludeSource=false");

        assertThat(asked.scope().documents()).isEqualTo(new Scope.Group("g"));
    }

    @Test
    void findsTheDocumentByAFieldAsWell() throws Exception {
        server.answer(
                "music",
                SearchServer.reply(
                        1,
                        new SearchHit(
                                DocumentId.parse(ID),
                                0,
                                List.of(),
                                Map.of("$vector", VECTOR),
                                Map.of())));

        assertThat(get(LIKE_IT + "Blue&relatedTo.idField=artist&year=3"))
                .startsWith("HTTP/1.1 200");

        assertThat(server.asked()).hasSize(2);
        SearchRequest lookup = server.asked().getFirst();
        assertThat(QueryText.of(lookup.query().tree())).isEqualTo("{unranked}artist:Blue");
        assertThat(lookup.hits().summary().besides()).containsExactly("vector");
        assertThat(lookup.hits().count()).isEqualTo(1);
        assertThat(lookup.query().ranking().profile()).isEqualTo("unranked");
        SearchRequest asked = server.asked().getLast();
        assertThat(QueryText.of(asked.query().tree()))
                .isEqualTo("(without (nearest vector q 10) {unranked}artist:Blue)");
        assertThat(asked.scope().documents()).isEqualTo(new Scope.Group("g"));
        assertThat(read).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    relatedTo.id=id:n:music:g=g:1 | relatedTo.id needs relatedTo.embeddingField, the field that holds vectors
                    relatedTo.id=id:n:music&relatedTo.embeddingField=vector | relatedTo.id:
                    relatedTo.id=id:n:music:g=g:1&relatedTo.embeddingField=nowhere | relatedTo.embeddingField: Field 'nowhere' does not exist.
                    relatedTo.id=id:n:music:g=g:1&relatedTo.embeddingField=title | relatedTo.embeddingField: document 'id:n:music:g=g:1' has no 'title'
                    relatedTo.id=id:n:music:g=g:1&relatedTo.embeddingField=vector | relatedTo.queryTensorName: expected an input of type tensor<float>(x[2]) of the rank profile, which has [bytes, other, q], but found nothing
                    relatedTo.id=id:n:music:g=g:1&relatedTo.embeddingField=vector&relatedTo.queryTensorName=weight | relatedTo.queryTensorName: expected an input of type tensor<float>(x[2]) of the rank profile, which has [bytes, other, q], but found weight
                    relatedTo.id=x&relatedTo.embeddingField=vector | relatedTo.idField: Field 'id' does not exist.
                    relatedTo.id=x&relatedTo.embeddingField=vector&relatedTo.targetHits=many | Could not set 'relatedTo.targetHits': expected a whole number from 0 on but found 'many'
                    """)
    void saysWhatWasExpected(String parameters, String message) throws Exception {
        assertThat(get("streaming.groupname=g&restrict=music&ranking=near&" + parameters))
                .startsWith("HTTP/1.1 400")
                .contains("\"message\":\"" + message);
    }

    /** One type declares the input for a vector, the other for several tokens. */
    @Test
    void needsAnInputThatFitsWhereverItIsDeclared() throws Exception {
        String both = LIKE_IT.replace("restrict=music", "restrict=music,films");

        assertThat(get(both + ID))
                .startsWith("HTTP/1.1 400")
                .contains(
                        "of type tensor<float>(x[2]) of the rank profile, which has [bytes, other],"
                                + " but found q");
    }

    @Test
    void saysWhyTheDocumentCannotBeRead() throws Exception {
        replies(new ReadReply.Answered(new GetReply.Missing()));
        assertThat(get(LIKE_IT + ID))
                .startsWith("HTTP/1.1 400")
                .contains("relatedTo.id: there is no document 'id:n:music:g=g:1'");
        replies(new ReadReply.Forbidden("not yours"));
        assertThat(get(LIKE_IT + ID)).startsWith("HTTP/1.1 403").contains("not yours");
        replies(new ReadReply.Answered(new GetReply.TimedOut()));
        assertThat(get(LIKE_IT + ID)).startsWith("HTTP/1.1 504");
        replies(new ReadReply.Answered(new GetReply.WrongOwner(7)));
        assertThat(get(LIKE_IT + ID)).startsWith("HTTP/1.1 503");
        replies(new ReadReply.Answered(new GetReply.Unavailable("node 1 is away")));
        assertThat(get(LIKE_IT + ID)).startsWith("HTTP/1.1 503").contains("node 1 is away");
        replies(new ReadReply.Answered(new GetReply.Failed("file x")));
        assertThat(get(LIKE_IT + ID)).startsWith("HTTP/1.1 500").contains("file x");
        reads(Map.of());
        assertThat(get(LIKE_IT + ID))
                .startsWith("HTTP/1.1 400")
                .contains("document 'id:n:music:g=g:1' has no 'vector'");
        reads(Map.of("vector", new FieldValue.StringValue("x")));
        assertThat(get(LIKE_IT + ID))
                .startsWith("HTTP/1.1 400")
                .contains("has no single vector in 'vector'");
        assertThat(server.asked()).isEmpty();
        assertThat(get(LIKE_IT + "x&relatedTo.idField=artist"))
                .startsWith("HTTP/1.1 400")
                .contains("there is no document 'x' by field 'artist'");
    }

    private void reads(Map<String, FieldValue> fields) {
        server.documents(id -> {
            read.add(id);
            return new ReadReply.Answered(new GetReply.Found(new Document(id, fields), 1));
        });
    }

    private void replies(ReadReply reply) {
        server.documents(_ -> reply);
    }

    private SearchRequest asked(String query) throws Exception {
        assertThat(get(query)).startsWith("HTTP/1.1 200");
        return server.asked().getFirst();
    }

    private String get(String query) throws Exception {
        return server.get("/search/?" + SearchServer.encoded(query));
    }
}
