package org.crabro.container.admin;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import org.crabro.config.application.ApplicationName;
import org.crabro.config.application.InvalidPackageException;
import org.crabro.config.application.PackagePath;

/** The target of a path below {@code /application/v2/}. */
sealed interface AdminPath {
    /** The common beginning of all paths of the deploy API. */
    String ROOT = "/application/v2/";

    /** A target that concerns the active application only. */
    sealed interface OfApplication extends AdminPath {}

    /** A target that does not depend on the active application. */
    sealed interface OfServer extends AdminPath {}

    /** The list of tenants. */
    record Tenants() implements OfServer {}

    /** A tenant, which may not exist. */
    record Tenant(String name) implements OfServer {}

    /** A machine. */
    record Host(String name) implements OfServer {}

    /** The deployment of a package in one step. */
    record PrepareAndActivate() implements OfServer {}

    /** The list of applications. */
    record Applications() implements OfServer {}

    /** The active application. */
    record Application() implements OfApplication {}

    /** The state of the services of the active application. */
    record ServiceConverge() implements OfApplication {}

    /**
     * The state of one service of the active application.
     *
     * @param address host and port, with a colon between them
     */
    record ServiceStatus(String address) implements OfApplication {}

    /** The progress of reindexing, and whether it is enabled. */
    record Reindexing() implements OfApplication {}

    /** A request to reindex documents. */
    record Reindex() implements OfApplication {}

    /** A request to rebuild the services of the application. */
    record Restart() implements OfApplication {}

    /** The last log lines of the process. */
    record Logs() implements OfApplication {}

    /** The creation of sessions. */
    record NewSession() implements OfServer {}

    /** The preparation of a session. */
    record SessionPrepared(long session) implements OfServer {}

    /** The activation of a session. */
    record SessionActive(long session) implements OfServer {}

    /**
     * A file or directory of a package.
     *
     * @param session empty for the package of the active application
     * @param path relative to the package and normalized; empty for the package itself
     * @param endsInSlash whether the path ends in a slash, like those of directories
     */
    record Content(OptionalLong session, String path, boolean endsInSlash) implements AdminPath {}

    /** A path that leaves a package, or is invalid for another reason. */
    record Refused(String problem) implements OfServer {}

    /**
     * A path of Vespa that this server does not implement.
     *
     * @param reason why, and which path to use instead
     */
    record NotTold(String reason) implements OfApplication {}

    /**
     * An unknown path.
     *
     * @param problem the part that is unknown
     */
    record Unknown(String problem) implements OfServer {}

    /** Returns whether this concerns the active application only. */
    default boolean isOfApplication() {
        return switch (this) {
            case OfApplication _ -> true;
            case Content content -> content.session().isEmpty();
            case OfServer _ -> false;
        };
    }

    /**
     * Parses a path.
     *
     * @param path starts with {@link #ROOT}; decoded
     */
    static AdminAddress parse(String path) {
        List<String> parts = List.of(path.substring(ROOT.length()).split("/", -1));
        boolean endsInSlash = parts.getLast().isEmpty();
        if (endsInSlash) {
            parts = parts.subList(0, parts.size() - 1);
        }
        if (parts.size() == 2 && parts.getFirst().equals("host")) {
            return new AdminAddress(new Host(parts.get(1)));
        }
        if (parts.isEmpty() || !parts.getFirst().equals("tenant")) {
            return new AdminAddress(new Unknown("nothing is served at " + path));
        }
        if (parts.size() == 1) {
            return new AdminAddress(new Tenants());
        }
        if (parts.size() == 2) {
            return new AdminAddress(new Tenant(parts.get(1)));
        }
        if (!ApplicationName.isPart(parts.get(1))) {
            return new AdminAddress(new Unknown(noTenant(parts.get(1))));
        }
        return ofTenant(path, parts.get(1), parts.subList(2, parts.size()), endsInSlash);
    }

    /** Returns the error of an unknown tenant. */
    static String noTenant(String name) {
        return "there is no tenant '%s'".formatted(name);
    }

    private static AdminAddress ofTenant(
            String path, String tenant, List<String> parts, boolean endsInSlash) {
        ApplicationName name = ApplicationName.DEFAULT.of(tenant);
        AdminPath parsed =
                switch (parts.getFirst()) {
                    case "prepareandactivate" ->
                            parts.size() == 1
                                    ? new PrepareAndActivate()
                                    : new Unknown("nothing is served at " + path);
                    case "session" -> ofSession(path, parts.subList(1, parts.size()), endsInSlash);
                    case "application" -> {
                        List<String> below = parts.subList(1, parts.size());
                        String application =
                                below.isEmpty() ? name.application() : below.getFirst();
                        String instance = isLong(below) ? below.get(6) : name.instance();
                        if (!ApplicationName.isPart(application)
                                || !ApplicationName.isPart(instance)) {
                            yield new Unknown(
                                    "there is no application '%s.%s'"
                                            .formatted(application, instance));
                        }
                        name = new ApplicationName(tenant, application, instance);
                        yield ofApplication(path, below, endsInSlash);
                    }
                    default -> new Unknown("nothing is served at " + path);
                };
        return new AdminAddress(name, parsed);
    }

    private static AdminPath ofSession(String path, List<String> parts, boolean endsInSlash) {
        if (parts.isEmpty()) {
            return new NewSession();
        }
        if (!parts.getFirst().matches("[0-9]{1,18}")) {
            return new Unknown("'%s' is no number of a session".formatted(parts.getFirst()));
        }
        long session = Long.parseLong(parts.getFirst());
        String what = parts.size() == 1 ? "" : parts.get(1);
        if (what.equals("content")) {
            return ofContent(OptionalLong.of(session), parts.subList(2, parts.size()), endsInSlash);
        }
        return switch (parts.size() == 2 ? what : "") {
            case "prepared" -> new SessionPrepared(session);
            case "active" -> new SessionActive(session);
            default -> new Unknown("nothing is served at " + path);
        };
    }

    private static AdminPath ofContent(
            OptionalLong session, List<String> parts, boolean endsInSlash) {
        try {
            String path = PackagePath.normalized(String.join("/", parts));
            return Path.of(path).isAbsolute()
                    ? new Refused("'" + path + "' is not relative to the package")
                    : new Content(session, path, endsInSlash);
        } catch (InvalidPackageException | InvalidPathException e) {
            return new Refused(String.valueOf(e.getMessage()));
        }
    }

    /** The path contains the names of environment and region, which are ignored. */
    private static AdminPath ofApplication(String path, List<String> parts, boolean endsInSlash) {
        if (parts.isEmpty()) {
            return new Applications();
        }
        if (parts.size() > 1 && !isLong(parts)) {
            return new Unknown("nothing is served at " + path);
        }
        if (parts.size() <= 7) {
            return new Application();
        }
        if (parts.get(7).equals("content")) {
            return ofContent(OptionalLong.empty(), parts.subList(8, parts.size()), endsInSlash);
        }
        return ofResource(path, parts.subList(7, parts.size()));
    }

    private static boolean isLong(List<String> parts) {
        return parts.size() >= 7
                && parts.get(1).equals("environment")
                && parts.get(3).equals("region")
                && parts.get(5).equals("instance");
    }

    private static AdminPath ofResource(String path, List<String> parts) {
        String resource = parts.getFirst();
        return switch (parts.size()) {
            case 1 ->
                    switch (resource) {
                        case "serviceconverge" -> new ServiceConverge();
                        case "logs" -> new Logs();
                        case "reindexing" -> new Reindexing();
                        case "reindex" -> new Reindex();
                        case "restart" -> new Restart();
                        default -> ofOthers(path, resource);
                    };
            case 2 ->
                    resource.equals("serviceconverge")
                            ? new ServiceStatus(parts.get(1))
                            : ofOthers(path, resource);
            default -> ofOthers(path, resource);
        };
    }

    private static AdminPath ofOthers(String path, String resource) {
        return switch (resource) {
            case "filedistributionstatus" ->
                    new NotTold("files are not distributed: one process holds the package");
            case "metrics" ->
                    new NotTold(
                            "metrics are served at the ports of containers, at /metrics/v2/values and"
                                    + " /prometheus/v1/values");
            case "quota" -> new NotTold("there are no quotas");
            case "service" ->
                    new NotTold("a service answers at its own port, as in /state/v1/health");
            default -> new Unknown("nothing is served at " + path);
        };
    }
}
