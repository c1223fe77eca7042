package org.crabro.container.reindex;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.crabro.config.deploy.ModelChanges;
import org.crabro.document.DocumentId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReindexRegisterTest {
    private static final ReindexKey NOTES = new ReindexKey("store", "note");
    private static final ReindexKey MAILS = new ReindexKey("store", "mail");
    private static final List<ModelChanges.Reindex> CHANGES =
            List.of(new ModelChanges.Reindex("store", "note", List.of("field 'a' changed")));

    @TempDir Path directory;
    private final InstantSource clock = InstantSource.fixed(Instant.ofEpochMilli(7));

    private ReindexRegister open() throws IOException {
        return ReindexRegister.open(directory.resolve("state"), clock);
    }

    private static ReindexRun run(ReindexRegister register, ReindexKey key) {
        return register.type(key).run().orElseThrow();
    }

    @Test
    void isReadAsItWasWritten() throws Exception {
        var register = open();
        register.enable(false);
        register.ask(List.of(NOTES, MAILS), 0.25, "a \"cause\" = of\nlines, größer \u4e16");
        register.expect(3, CHANGES);
        var place =
                new ReindexPlace(
                        16,
                        5,
                        Optional.of(DocumentId.parse("id:n s:note:g=ü b:=#!")),
                        0.5,
                        new ReindexPlace.Counts(9, 4, 1));
        register.update(
                MAILS, run(register, MAILS).number(), run -> run.started(8, 16).at(place, "odd"));
        register.save();

        var again = open();

        assertThat(again.isEnabled()).isFalse();
        assertThat(again.types()).isEqualTo(register.types());
        assertThat(run(again, MAILS).place()).isEqualTo(place);
    }

    @Test
    void beginsWithNothing() throws Exception {
        assertThat(open().isEnabled()).isTrue();
        assertThat(open().types()).isEmpty();
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void namesTheFileThatItCannotRead() throws Exception {
        Files.writeString(directory.resolve("state"), "types=1\nenabled=true\n0.cluster=c\n");

        assertThatThrownBy(this::open)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("state: expected a value of '0.type'");

        Files.write(directory.resolve("state"), new byte[] {'\\', 'u', (byte) 0xff});

        assertThatThrownBy(this::open)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("state: Malformed");
    }

    @Test
    void namesTheFileWithAnIdThatIsNone() throws Exception {
        Path state = directory.resolve("state");
        open().ask(List.of(NOTES), 1, "first");
        Files.writeString(state, Files.readString(state) + "0.after=i\n");

        assertThatThrownBy(this::open)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("state: unparseable document id 'i'");
    }

    @Test
    void beginsWhatADeploymentChangedWhenItIsActive() throws Exception {
        var register = open();
        register.expect(3, CHANGES);
        boolean isBegun = register.type(NOTES).run().isPresent();
        register.settle(3);

        assertThat(isBegun).isFalse();
        assertThat(register.type(NOTES).pending()).isEmpty();
        assertThat(run(register, NOTES).state()).isEqualTo(ReindexState.PENDING);
        assertThat(run(register, NOTES).request().cause())
                .isEqualTo("generation 3: field 'a' changed");
        assertThat(run(register, NOTES).request().readyMillis()).isEqualTo(7);
    }

    @Test
    void forgetsWhatADeploymentChangedThatWasNotActivated() throws Exception {
        var register = open();
        register.ask(List.of(NOTES), 1, "first");
        register.expect(3, CHANGES);
        register.settle(2);

        assertThat(register.type(NOTES).pending()).isEmpty();
        assertThat(run(register, NOTES).request().cause()).isEqualTo("first");
    }

    @Test
    void aStartDecidesByWhatIsActive() throws Exception {
        open().expect(3, CHANGES);
        var nothingActive = open();
        nothingActive.settle(0);
        var wasActivated = open();
        wasActivated.settle(3);

        assertThat(nothingActive.type(NOTES).pending()).isPresent();
        assertThat(run(wasActivated, NOTES).state()).isEqualTo(ReindexState.PENDING);
    }

    @Test
    void keepsTheSpeedAndLosesNoneThatIsSetMeanwhile() throws Exception {
        var register = open();
        register.ask(List.of(NOTES), 1, "first");
        long number = run(register, NOTES).number();

        assertThat(register.speed(List.of(NOTES, MAILS), 0.5)).containsExactly(NOTES);
        register.update(NOTES, number, run -> run.started(8, 16));
        register.expect(3, CHANGES);
        register.settle(3);

        assertThat(run(register, NOTES).request().speed()).isEqualTo(0.5);
        assertThat(run(register, NOTES).startedMillis()).isEmpty();
    }

    @Test
    void leavesARunAloneThatWasBegunAfterTheOneThatCameFurther() throws Exception {
        var register = open();
        register.ask(List.of(NOTES), 1, "first");
        long number = run(register, NOTES).number();
        register.ask(List.of(NOTES), 1, "second");

        register.update(NOTES, number, run -> run.ended(ReindexState.SUCCESSFUL, "done", 9));

        assertThat(run(register, NOTES).state()).isEqualTo(ReindexState.PENDING);
    }
}
