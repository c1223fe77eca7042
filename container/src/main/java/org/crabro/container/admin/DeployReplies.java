package org.crabro.container.admin;

import java.time.InstantSource;

/** Sends the outcomes of operations on packages and sessions. */
final class DeployReplies {
    private final InstantSource clock;

    /**
     * @param clock the time of notices
     */
    DeployReplies(InstantSource clock) {
        this.clock = clock;
    }

    /**
     * Answers with {@code reply}.
     *
     * @param tenant of the request
     * @param verbose whether to include notices below a warning
     */
    void send(AdminExchange exchange, String tenant, DeployReply reply, boolean verbose) {
        switch (reply) {
            case DeployReply.Deployed deployed ->
                    exchange.send(json ->
                            AdminJson.deployed(
                                    json,
                                    deployed,
                                    verbose,
                                    clock.millis(),
                                    exchange.application(deployed.name())));
            case DeployReply.Created(var session) ->
                    exchange.send(json ->
                            SessionJson.created(
                                    json, tenant, session, exchange.session(tenant, session)));
            case DeployReply.Prepared prepared ->
                    exchange.send(json ->
                            SessionJson.prepared(
                                    json,
                                    tenant,
                                    prepared,
                                    verbose,
                                    clock.millis(),
                                    exchange.session(tenant, prepared.session())));
            case DeployReply.Activated(var session, var name) ->
                    exchange.send(json ->
                            SessionJson.activated(
                                    json, tenant, session, exchange.application(name)));
            case DeployReply.Changed(var session) ->
                    exchange.send(
                            json -> SessionJson.changed(json, exchange.session(tenant, session)));
            case DeployReply.Removed(var name) ->
                    exchange.message("Application '%s' is deleted.".formatted(name.inTenant()));
            case DeployReply.Rebuilt(var name, var clusters) ->
                    exchange.message(
                            "Rebuilt clusters %s of application '%s'."
                                    .formatted(clusters, name.inTenant()));
            case DeployReply.Invalid(var message) ->
                    exchange.fail(AdminError.INVALID_APPLICATION_PACKAGE, message);
            case DeployReply.Wrong(var message) -> exchange.fail(AdminError.BAD_REQUEST, message);
            case DeployReply.Missing(var message) -> exchange.fail(AdminError.NOT_FOUND, message);
            case DeployReply.Conflict(var message) ->
                    exchange.fail(AdminError.ACTIVATION_CONFLICT, message);
            case DeployReply.Full(var message) -> exchange.fail(AdminError.QUOTA_EXCEEDED, message);
            case DeployReply.Busy(var waited) ->
                    exchange.fail(
                            AdminError.APPLICATION_LOCK_FAILURE,
                            "another deployment was under way for %d seconds; try again"
                                    .formatted(waited.toSeconds()));
        }
    }
}
