package org.crabro.container.route;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.config.schema.Schema;
import org.crabro.config.services.ContentCluster;
import org.crabro.config.services.ContentCluster.ClusterDocument;
import org.crabro.config.services.ContentCluster.Mode;
import org.crabro.config.services.Services;
import org.crabro.container.document.MapOfDocuments;
import org.crabro.container.document.WriteResult;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType.Primitive;
import org.crabro.document.FieldValue;
import org.crabro.document.operation.ConditionalOperation;
import org.crabro.document.operation.DocumentOperation;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;
import org.junit.jupiter.api.Test;

class SelectionFilterTest {
    private static final DocumentId ID = DocumentId.parse("id:ns:note::1");

    private final MapOfDocuments documents = new MapOfDocuments();
    private Instant now = Instant.ofEpochSecond(1_000);
    private final SelectionFilter filter =
            new SelectionFilter(model("note.time > now() - 100"), documents, () -> now);

    private static ApplicationModel model(String selection) {
        var schema =
                new Schema(
                        "note",
                        new DocumentType("note", List.of(new Field("time", Primitive.LONG, true))),
                        new LinkedHashMap<>());
        return new ApplicationModel(
                1,
                new Services(
                        List.of(),
                        List.of(
                                new ContentCluster(
                                        "notes",
                                        List.of(
                                                new ClusterDocument(
                                                        "note",
                                                        Mode.STREAMING,
                                                        false,
                                                        selection))))),
                Map.of("note", schema));
    }

    private WriteResult write(DocumentOperation operation) {
        return filter.write(
                Principal.EVERYONE,
                Deadline.after(Duration.ofSeconds(9)),
                ConditionalOperation.always(operation));
    }

    private static DocumentOperation put(Optional<Long> time) {
        Map<String, FieldValue> fields =
                time.isPresent() ? Map.of("time", new FieldValue.LongValue(time.get())) : Map.of();
        return new DocumentOperation.Put(new Document(ID, fields));
    }

    @Test
    void writesWhatIsSelectedNow() {
        WriteResult young = write(put(Optional.of(901L)));
        WriteResult old = write(put(Optional.of(900L)));
        now = now.minusSeconds(1);
        WriteResult before = write(put(Optional.of(900L)));

        assertThat(young).isInstanceOf(WriteResult.Answered.class);
        assertThat(old)
                .isEqualTo(
                        new WriteResult.Ignored(
                                "nothing was written: the cluster keeps only documents of type"
                                        + " 'note' that 'note.time > now() - 100' selects"));
        assertThat(before).isInstanceOf(WriteResult.Answered.class);
    }

    @Test
    void writesNothingThatTheSelectionSaysNothingOf() {
        assertThat(write(put(Optional.empty()))).isInstanceOf(WriteResult.Ignored.class);
        assertThat(documents.documents()).isEmpty();
    }

    @Test
    void removesWhateverIsSelected() {
        write(put(Optional.of(901L)));
        now = now.plusSeconds(1_000);

        assertThat(write(new DocumentOperation.Remove(ID)))
                .isInstanceOf(WriteResult.Answered.class);
        assertThat(documents.documents()).isEmpty();
    }
}
