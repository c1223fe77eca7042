package org.crabro.client.chats;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The text of a message of Slack as people read it: names instead of ids, and links with their
 * addresses.
 *
 * <pre>
 *   mark := "&lt;@" user [ "|" name ] "&gt;"  |  "&lt;#" channel [ "|" name ] "&gt;"
 *         | "&lt;!" command [ "|" name ] "&gt;" |  "&lt;" address [ "|" label ] "&gt;"
 * </pre>
 *
 * @param users names by ids
 * @param channels names by ids
 */
public record SlackText(Map<String, String> users, Map<String, String> channels) {
    private static final Pattern MARK = Pattern.compile("<([^<>|]{1,4096})(?:\\|([^<>]*))?>");
    private static final String MAIL = "mailto:";

    public SlackText {
        users = Map.copyOf(users);
        channels = Map.copyOf(channels);
    }

    /** Returns a text with its marks replaced. */
    public String plain(String text) {
        Matcher marks = MARK.matcher(text);
        var plain = new StringBuilder();
        while (marks.find()) {
            String label = marks.group(2) == null ? "" : marks.group(2);
            marks.appendReplacement(
                    plain, Matcher.quoteReplacement(replacement(marks.group(1), label)));
        }
        marks.appendTail(plain);
        return plain.toString().replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    }

    private String replacement(String target, String label) {
        String id = target.substring(1);
        return switch (target.charAt(0)) {
            case '@' -> "@" + users.getOrDefault(id, label.isBlank() ? id : label);
            case '#' -> "#" + (label.isBlank() ? channels.getOrDefault(id, id) : label);
            // A date has the text of a command as its label, a group of users its name.
            case '!' -> label.isBlank() ? "@" + id : label;
            default -> link(target, label);
        };
    }

    private static String link(String target, String label) {
        String address = target.startsWith(MAIL) ? target.substring(MAIL.length()) : target;
        return label.isBlank() || address.endsWith(label) ? address : label + " (" + address + ")";
    }
}
