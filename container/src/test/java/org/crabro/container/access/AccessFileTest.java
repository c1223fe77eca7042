package org.crabro.container.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.crabro.protocol.wire.Permission;
import org.crabro.protocol.wire.Principal;
import org.crabro.protocol.wire.Principal.Groups;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class AccessFileTest {
    private static final String HASH = TokenHash.of("a").toString();

    @TempDir Path directory;

    @Test
    void readsPrincipals() throws IOException {
        Files.writeString(directory.resolve("hashes"), "# old\n" + TokenHash.of("c") + "\n");
        AccessRules rules =
                read(
                        """
                        # who may do what
                        [anonymous]
                        permissions = read
                        groups = none

                        [ feeder ]
                        permissions = read, write
                        token = %s
                        token = %s
                        [anna]
                        permissions = all
                        groups = anna, family
                        group = a, b
                        token-file = hashes
                        """
                                .formatted(HASH, TokenHash.of("b")));

        assertThat(rules.anonymous().principal())
                .isEqualTo(
                        new Principal(
                                "anonymous", new Groups.Only(Set.of()), Set.of(Permission.READ)));
        assertThat(rules.ofToken("a").orElseThrow().principal())
                .isEqualTo(
                        new Principal(
                                "feeder",
                                new Groups.Every(),
                                Set.of(Permission.READ, Permission.WRITE)));
        assertThat(rules.ofToken("b")).isEqualTo(rules.ofToken("a"));
        assertThat(rules.ofToken("c").orElseThrow().principal())
                .isEqualTo(
                        new Principal(
                                "anna",
                                new Groups.Only(Set.of("anna", "family", "a, b")),
                                EnumSet.allOf(Permission.class)));
        assertThat(rules.ofToken(HASH)).isEmpty();
    }

    @Test
    void givesRequestsWithoutCredentialsNoRightsUnlessTheFileSaysSo() throws IOException {
        assertThat(read("").anonymous().principal().permissions()).isEmpty();
    }

    @Test
    void readsAllFilesOfADirectoryOfTokens() throws IOException {
        Path tokens = Files.createDirectory(directory.resolve("tokens"));
        Files.writeString(tokens.resolve("one"), TokenHash.of("one").toString());
        Files.writeString(tokens.resolve("two"), TokenHash.of("two").toString());
        Files.writeString(tokens.resolve(".old"), "no hash");

        AccessRules rules = read("[a]\ntoken-file = tokens\n");

        assertThat(rules.ofToken("one")).isPresent();
        assertThat(rules.ofToken("two")).isPresent();
    }

    static Stream<Arguments> problems() {
        return Stream.of(
                Arguments.of("[a\n", "1: expected the name of a principal in brackets"),
                Arguments.of("[a]\n", "1: principal 'a' has no credential"),
                Arguments.of(
                        "[a]\ntoken = HASH\n\n[a]\ntoken = HASH\n",
                        "4: principal 'a' occurs twice; the first is in line 1"),
                Arguments.of("permissions = read\n", "1: expected a section"),
                Arguments.of(
                        "[a]\ntoken = HASH\npermission = read\n",
                        "3: there is no setting 'permission', only"),
                Arguments.of(
                        "[a]\ntoken = HASH\npermissions = read, wriet\n",
                        "3: expected read, write, deploy, admin, all or none, but found 'wriet'"),
                Arguments.of(
                        "[a]\ntoken = HASH\npermissions = read\npermissions = write\n",
                        "4: 'permissions' occurs twice; the first is in line 3"),
                Arguments.of("[a]\ntoken =\n", "2: expected a value after 'token ='"),
                Arguments.of("[a]\ntoken = secret\n", "2: expected the SHA-256 of a token"),
                Arguments.of(
                        "[a]\ntoken = HASH\n[b]\ntoken = HASH\n",
                        "4: principals 'a' and 'b' have the same token"),
                Arguments.of("[anonymous]\ntoken = HASH\n", "2: [anonymous] is for requests"),
                Arguments.of("[a]\ntoken-file = none\n", "2: cannot read "),
                Arguments.of(
                        "[a]\ncertificate = feeder\n", "2: expected a subject such as CN=feeder"),
                Arguments.of("[a]\ncertificate = dns:\n", "2: expected a name after 'dns:'"),
                Arguments.of(
                        "[a]\ntoken = HASH\nrequests-per-second = 0\n",
                        "3: expected a number from 0.001 to 1000000, but found '0'"),
                Arguments.of(
                        "[a]\ntoken = HASH\nrequests-per-second = 1\nburst = many\n",
                        "4: expected a number from 1 to 1000000, but found 'many'"),
                Arguments.of(
                        "[a]\ntoken = HASH\nburst = 5\n", "3: burst needs requests-per-second"),
                Arguments.of("secret\n", "1: expected a section such as [feeder] or a setting"));
    }

    @ParameterizedTest
    @MethodSource("problems")
    void reportsProblemsWithTheirLinesAndWithoutSecrets(String text, String problem) {
        assertThatThrownBy(() -> read(text.replace("HASH", HASH)))
                .isInstanceOf(InvalidAccessFileException.class)
                .hasMessageContaining(directory.resolve("access") + ":" + problem)
                .hasMessageNotContaining("secret");
    }

    @Test
    void reportsEveryProblem() {
        assertThatThrownBy(() -> read("[a]\nx = 1\n[b]\ny = 1\n"))
                .hasMessageContaining("access:2:")
                .hasMessageContaining("access:4:");
    }

    @Test
    void refusesAFileThatIsTooLarge() {
        assertThatThrownBy(() -> read("#".repeat(AccessFile.BYTES_MAX + 1)))
                .hasMessageContaining("is larger than 1,048,576 bytes");
    }

    private AccessRules read(String text) throws IOException {
        Path file = directory.resolve("access");
        Files.writeString(file, text);
        return new AccessFile(file, Map.of()).read();
    }
}
