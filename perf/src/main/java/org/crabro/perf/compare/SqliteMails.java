package org.crabro.perf.compare;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.crabro.perf.compare.MailsBenchmark.Mail;

/** Mails in a full-text table of SQLite, filtered by user and date, queried in this process. */
final class SqliteMails implements AutoCloseable {
    private static final String WHERE = "from mails where mails match ? and user = ? and date >= ?";

    private final Connection connection;
    private final PreparedStatement count;
    private final PreparedStatement best;

    SqliteMails(Path file, List<Mail> mails) throws SQLException {
        connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        try (Statement statement = connection.createStatement()) {
            // As much memory as all of it takes.
            statement.execute("pragma cache_size = -1000000");
            statement.execute(
                    "create virtual table mails using"
                            + " fts5(body, user unindexed, date unindexed, id unindexed)");
            connection.setAutoCommit(false);
            try (PreparedStatement insert =
                    connection.prepareStatement("insert into mails values (?, ?, ?, ?)")) {
                for (Mail mail : mails) {
                    insert.setString(1, new String(mail.body(), UTF_8));
                    insert.setString(2, mail.user());
                    insert.setLong(3, mail.date());
                    insert.setString(4, mail.id());
                    insert.execute();
                }
            }
            connection.commit();
            statement.execute("insert into mails(mails) values ('optimize')");
            connection.commit();
        }
        count = connection.prepareStatement("select count(*) " + WHERE);
        best = connection.prepareStatement("select id " + WHERE + " order by rank limit 10");
    }

    /** Returns how many mails of a user from a date on have a word. */
    int count(String user, String word, long from) throws SQLException {
        try (ResultSet rows = asked(count, user, word, from)) {
            return rows.next() ? rows.getInt(1) : 0;
        }
    }

    /** Finds the ten best of them with their ids, and returns how many they are. */
    int best(String user, String word, long from) throws SQLException {
        int hits = 0;
        try (ResultSet rows = asked(best, user, word, from)) {
            while (rows.next()) {
                hits += rows.getString(1).isEmpty() ? 0 : 1;
            }
        }
        return hits;
    }

    private static ResultSet asked(PreparedStatement statement, String user, String word, long from)
            throws SQLException {
        statement.setString(1, word);
        statement.setString(2, user);
        statement.setLong(3, from);
        return statement.executeQuery();
    }

    @Override
    public void close() throws SQLException {
        count.close();
        best.close();
        connection.close();
    }
}
