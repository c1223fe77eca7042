package org.crabro.container.admin;

import java.util.List;

/** What a path below {@code /application/v2/} asks for. */
sealed interface AdminPath {
    /** Where everything of this interface lies. */
    String ROOT = "/application/v2/";

    /** The tenant, the application and the instance that there are. */
    String DEFAULT = "default";

    /** The list of tenants. */
    record Tenants() implements AdminPath {}

    /** The one tenant. */
    record Tenant() implements AdminPath {}

    /** Packages to deploy. */
    record PrepareAndActivate() implements AdminPath {}

    /** The list of applications. */
    record Applications() implements AdminPath {}

    /** The active application. */
    record Application() implements AdminPath {}

    /** How far the active application is served. */
    record ServiceConverge() implements AdminPath {}

    /** Something of the interface that there is not yet. */
    record NotBuilt(String what) implements AdminPath {}

    /**
     * Nothing.
     *
     * @param problem what there is not
     */
    record Unknown(String problem) implements AdminPath {}

    /**
     * Returns what {@code path} asks for.
     *
     * @param path starts with {@link #ROOT}
     */
    static AdminPath parse(String path) {
        List<String> parts = List.of(path.substring(ROOT.length()).split("/", -1));
        if (parts.getLast().isEmpty()) {
            parts = parts.subList(0, parts.size() - 1);
        }
        if (parts.isEmpty() || !parts.getFirst().equals("tenant")) {
            return parts.isEmpty() || !parts.getFirst().equals("host")
                    ? new Unknown("nothing is served at " + path)
                    : new NotBuilt("host");
        }
        if (parts.size() == 1) {
            return new Tenants();
        }
        if (!parts.get(1).equals(DEFAULT)) {
            return new Unknown("there is no tenant '%s', only 'default'".formatted(parts.get(1)));
        }
        return ofTenant(path, parts.subList(2, parts.size()));
    }

    private static AdminPath ofTenant(String path, List<String> parts) {
        if (parts.isEmpty()) {
            return new Tenant();
        }
        return switch (parts.getFirst()) {
            case "prepareandactivate" ->
                    parts.size() == 1
                            ? new PrepareAndActivate()
                            : new Unknown("nothing is served at " + path);
            case "session" ->
                    new NotBuilt("session; deploy with POST .../prepareandactivate instead");
            case "application" -> ofApplication(path, parts.subList(1, parts.size()));
            default -> new Unknown("nothing is served at " + path);
        };
    }

    /** The names of environment and region stand in the path, and any will do. */
    private static AdminPath ofApplication(String path, List<String> parts) {
        if (parts.isEmpty()) {
            return new Applications();
        }
        if (!parts.getFirst().equals(DEFAULT)) {
            return new Unknown(
                    "there is no application '%s', only 'default'".formatted(parts.getFirst()));
        }
        boolean isLong =
                parts.size() >= 7
                        && parts.get(1).equals("environment")
                        && parts.get(3).equals("region")
                        && parts.get(5).equals("instance");
        if (parts.size() > 1 && !isLong) {
            return new Unknown("nothing is served at " + path);
        }
        if (isLong && !parts.get(6).equals(DEFAULT)) {
            return new Unknown("there is no instance '%s', only 'default'".formatted(parts.get(6)));
        }
        if (parts.size() <= 7) {
            return new Application();
        }
        return parts.get(7).equals("serviceconverge") && parts.size() == 8
                ? new ServiceConverge()
                : ofResource(path, String.join("/", parts.subList(7, parts.size())));
    }

    private static AdminPath ofResource(String path, String resource) {
        List<String> known =
                List.of(
                        "content",
                        "filedistributionstatus",
                        "logs",
                        "metrics",
                        "quota",
                        "reindex",
                        "reindexing",
                        "restart",
                        "service",
                        "serviceconverge");
        String first = resource.replaceFirst("/.*", "");
        return known.contains(first)
                ? new NotBuilt(resource)
                : new Unknown("nothing is served at " + path);
    }
}
