package org.crabro.client.shell;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShellStatementTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            textBlock =
                    """
                    select * from a where true;       | false | Query[yql=select * from a where true]
                    select * from a where true        | true  | Query[yql=select * from a where true]
                    select * from a ;;                | false | Query[yql=select * from a]
                    select * from a where b contains "x;"; | false | Query[yql=select * from a where b contains "x;"]
                    \\help                            | false | Command[name=help, argument=]
                    \\group anna b                    | false | Command[name=group, argument=anna b]
                    \\explain select * from a;        | false | Command[name=explain, argument=select * from a]
                    green tea                         | false | Query[yql=green tea]
                    SELECT * from a;                  | false | Query[yql=SELECT * from a]
                    -- a comment                      | false | Nothing[]
                    ~~                                | false | Nothing[]
                    """)
    void readsStatements(String entered, boolean isLast, String statement) {
        assertThat(ShellStatement.parse(entered, isLast).map(Object::toString))
                .isEqualTo(Optional.of(statement));
    }

    @ParameterizedTest
    @CsvSource({"select *", "\\explain select *", "select * from a where b contains 'x;'"})
    void waitsForTheSemicolonOfAQuery(String entered) {
        assertThat(ShellStatement.parse(entered + "\n", false)).isEmpty();
    }
}
