package org.crabro.perf.packages;

import static org.crabro.perf.packages.HardTexts.SIZE;
import static org.crabro.perf.packages.HardTexts.many;
import static org.crabro.perf.packages.HardTexts.nested;

/** Packages whose services.xml, hosts or definitions of configs are hard. */
final class HardServices {
    private HardServices() {}

    static void addTo(MadePackages into) {
        into.other("elements in elements", "services.xml", nested("<services>", "", "</services>"));
        into.other(
                "unknown elements",
                "services.xml",
                "<services>" + many(i -> "<element%d a='b'/>".formatted(i)) + "</services>");
        into.other(
                "sections that are not well formed",
                "services.xml",
                "<services>" + many(i -> "<content id='%d'><a></content>".formatted(i)));
        into.other(
                "sections that do not end",
                "services.xml",
                "<services>" + many(i -> "<content id='%d'>".formatted(i)));
        into.other(
                "attributes",
                "services.xml",
                "<services " + many(i -> "a%d='b' ".formatted(i)) + "/>");
        into.other(
                "components",
                "services.xml",
                "<services><container id='c' version='1.0'>"
                        + many(i -> "<component id='c%d' class='C%d'/>".formatted(i, i))
                        + "</container></services>");
        into.other(
                "containers",
                "services.xml",
                "<services>"
                        + many(i ->
                                "<container id='c%d' version='1.0'><search/></container>"
                                        .formatted(i))
                        + "</services>");
        into.other(
                "types without schemas",
                "services.xml",
                MadePackages.SERVICES.replace(
                        "<documents>",
                        "<documents>"
                                + many(i -> "<document type='t%d' mode='index'/>".formatted(i))));
        into.other(
                "nodes",
                "services.xml",
                MadePackages.SERVICES.replace(
                        "<documents>",
                        "<group>"
                                + many(i ->
                                        "<node hostalias='n%d' distribution-key='%d'/>"
                                                .formatted(i, i))
                                + "</group><documents>"));
        into.other(
                "groups in groups",
                "services.xml",
                MadePackages.SERVICES.replace(
                        "<documents>", nested("<group>", "", "</group>") + "<documents>"));
        into.other(
                "chains that inherit the one before",
                "services.xml",
                MadePackages.SERVICES.replace(
                        "<search/>",
                        "<search>"
                                + many(i -> "<chain id='c%d' inherits='c%d'/>".formatted(i, i + 1))
                                + "</search>"));
        into.other(
                "phases in a circle",
                "services.xml",
                MadePackages.SERVICES.replace(
                        "<search/>",
                        "<search><chain id='c'>"
                                + many(i ->
                                        "<phase id='p%d' before='p%d'/>"
                                                .formatted(i, (i + 1) % 1_000))
                                + "</chain></search>"));
        into.other(
                "a property that is not there, many times",
                "services.xml",
                "<services a='" + many(_ -> "${a}") + "'/>");
        into.other(
                "properties that are not there beside others",
                "services.xml",
                "<services xmlns:preprocess='p'><preprocess:properties>"
                        + many(i -> "<b%d/>".formatted(i), SIZE / 2)
                        + "</preprocess:properties><a b='"
                        + many(i -> "${a%d}".formatted(i), SIZE / 3)
                        + "'/></services>");
        into.other(
                "hosts that are not well formed",
                "hosts.xml",
                "<hosts>" + many(i -> "<host name='%d'><alias></host>".formatted(i)));
        into.other(
                "permits that are not well formed",
                "validation-overrides.xml",
                "<validation-overrides>" + many(_ -> "<allow until='soon'>x</alow>"));
        into.other(
                "properties that are not there",
                "services.xml",
                MadePackages.SERVICES
                        .replace("<services", "<services xmlns:preprocess='properties'")
                        .replace(
                                "<documents>",
                                "<documents a='" + many(i -> "${a%d}".formatted(i)) + "'>"));
        into.other(
                "properties",
                "services.xml",
                MadePackages.SERVICES.replace(
                        "<services version=\"1.0\">",
                        "<services xmlns:preprocess='properties' version='1.0'><preprocess:properties>"
                                + many(i -> "<p%1$d>${p%1$d}</p%1$d>".formatted(i))
                                + "</preprocess:properties>"));
        into.other(
                "an include of itself",
                "services.xml",
                MadePackages.SERVICES.replace(
                        "<services version=\"1.0\">",
                        "<services xmlns:preprocess='properties' version='1.0'>"
                                + many(i -> "<preprocess:include file='services.xml'/>")));
        into.other(
                "overrides",
                "services.xml",
                MadePackages.SERVICES
                        .replace("<services", "<services xmlns:deploy='vespa'")
                        .replace(
                                "<documents>",
                                "<documents>"
                                        + many(i ->
                                                "<document deploy:environment='dev' deploy:region='r%d' type='s' mode='index'/>"
                                                        .formatted(i))));
        into.other(
                "entities",
                "services.xml",
                "<!DOCTYPE a [<!ENTITY a0 'a'>"
                        + many(i -> "<!ENTITY a%1$d '&a%2$d;&a%2$d;'>".formatted(i + 1, i))
                        + "]><services>&a99;</services>");
        into.other(
                "a selection",
                "services.xml",
                MadePackages.SERVICES.replace(
                        "<documents>",
                        "<documents selection='" + nested("(", "s.n == 1", ")") + "'>"));
        into.other(
                "a selection of many parts",
                "services.xml",
                MadePackages.SERVICES.replace(
                        "<documents>",
                        "<documents selection='"
                                + many(i -> "s.n == %d or ".formatted(i))
                                + "s.n == 1'>"));
        into.other(
                "configs",
                "services.xml",
                MadePackages.SERVICES.replace(
                        "<search/>",
                        "<search/>"
                                + many(i -> "<config name='a.b%d'><c/></config>".formatted(i))));
        into.other(
                "a config in itself",
                "services.xml",
                MadePackages.SERVICES.replace(
                        "<search/>",
                        "<search/><config name='a.b'>" + nested("<c>", "", "</c>") + "</config>"));
        into.other(
                "hosts",
                "hosts.xml",
                "<hosts>"
                        + many(i -> "<host name='h%d'><alias>a</alias></host>".formatted(i))
                        + "</hosts>");
        into.other(
                "hosts without names", "hosts.xml", "<hosts>" + many(i -> "<host/>") + "</hosts>");
        into.other(
                "allowances",
                "validation-overrides.xml",
                "<validation-overrides>"
                        + many(i -> "<allow until='2026-13-01'>id%d</allow>".formatted(i))
                        + "</validation-overrides>");
        into.other(
                "definitions",
                "configdefinitions/a.def",
                "namespace=a\n" + many(i -> "v%d.w[].x{} int default=%d\n".formatted(i, i)));
        into.other(
                "definitions that are wrong",
                "configdefinitions/a.def",
                "namespace=a\n" + many(i -> "v%d strin default=x\n".formatted(i)));
        into.other(
                "bindings",
                "services.xml",
                "<services><container id='c' version='1.0'><search>"
                        + many(i -> "<binding>http://h%d*/a*b</binding>".formatted(i), SIZE / 2)
                        + "</search><document-api>"
                        + many(i -> "<binding>http://*/a%d/</binding>".formatted(i), SIZE / 4)
                        + "</document-api></container></services>");
        into.other(
                "chains",
                "search/chains/a.xml",
                many(i -> "<chain id='c%d' inherits='c%d'/>".formatted(i, i + 1)));
    }
}
