package org.crabro.perf.packages;

import static org.crabro.perf.packages.HardTexts.SIZE;
import static org.crabro.perf.packages.HardTexts.commas;
import static org.crabro.perf.packages.HardTexts.many;

import java.util.HashMap;

/** Packages whose query profiles are hard. */
final class HardQueryProfiles {
    private HardQueryProfiles() {}

    static void addTo(MadePackages into) {
        String path = "search/query-profiles/p.xml";
        into.other(
                "fields of a query profile",
                path,
                "<query-profile id='p'>"
                        + many(i -> "<field name='a%d.b.c'>%d</field>".formatted(i, i))
                        + "</query-profile>");
        into.other(
                "a query profile that is deep",
                path,
                "<query-profile id='p'><field name='"
                        + many(i -> "a.")
                        + "a'>1</field></query-profile>");
        into.other(
                "substitutions",
                path,
                "<query-profile id='p'><field name='a'>"
                        + many(i -> "%{a}")
                        + "</field></query-profile>");
        into.other(
                "substitutions that double",
                path,
                "<query-profile id='p'><field name='a0'>x</field>"
                        + many(i ->
                                "<field name='a%1$d'>%%{a%2$d}%%{a%2$d}</field>"
                                        .formatted(i + 1, i))
                        + "</query-profile>");
        into.other(
                "variants",
                path,
                "<query-profile id='p'><dimensions>a, b, c</dimensions>"
                        + many(i ->
                                "<query-profile for='%d, *, %d'><field name='x'>%d</field></query-profile>"
                                        .formatted(i % 100, i / 100, i))
                        + "</query-profile>");
        into.other(
                "variants that inherit",
                path,
                "<query-profile id='p'><dimensions>"
                        + commas(i -> "d" + i, 20_000)
                        + "</dimensions>"
                        + many(i -> "<query-profile for='%d' inherits='p'/>".formatted(i), SIZE / 2)
                        + "</query-profile>");
        into.other(
                "references",
                path,
                "<query-profile id='p'>"
                        + many(i -> "<field name='a%d'><ref>p%d</ref></field>".formatted(i, i))
                        + "</query-profile>");
        into.other(
                "variants that do not end",
                path,
                "<query-profile id='p'>" + many(i -> "<query-profile for='%d'>".formatted(i)));
        into.other(
                "fields that are not well formed",
                path,
                "<query-profile id='p'>" + many(i -> "<field name='a%d'>%%{x</feld>".formatted(i)));
        into.other(
                "fields of a type",
                "search/query-profiles/types/t.xml",
                "<query-profile-type id='t'>"
                        + many(i -> "<field name='a%d' type='intege' alias='a b c'/>".formatted(i))
                        + "</query-profile-type>");
        var circle = new HashMap<String, String>();
        for (int i = 0; i < 200; i++) {
            circle.put(
                    "search/query-profiles/p" + i + ".xml",
                    "<query-profile id='p%d' inherits='p%d'><field name='a'><ref>p%d</ref></field></query-profile>"
                            .formatted(i, (i + 1) % 200, (i + 7) % 200));
        }
        into.add("query profiles in a circle", circle);
        var doubling = new HashMap<String, String>();
        doubling.put(
                "search/query-profiles/p0.xml",
                "<query-profile id='p0'><field name='a'>1</field></query-profile>");
        for (int i = 1; i < 200; i++) {
            doubling.put(
                    "search/query-profiles/p" + i + ".xml",
                    "<query-profile id='p%1$d' inherits='p%2$d'><field name='a%1$d'><ref>p%2$d</ref></field><field name='b%1$d'><ref>p%2$d</ref></field></query-profile>"
                            .formatted(i, i - 1));
        }
        into.add("query profiles that hold the one before twice", doubling);
    }
}
