package org.crabro.container.admin;

import java.time.Duration;
import org.crabro.config.application.PackageLimits;

/**
 * The bounds of deployments.
 *
 * @param packages of unpacked packages
 * @param sessions of uploads, and of sessions that wait for activation
 * @param idle an upload that receives almost nothing for this time gives its place to another
 * @param maxWait the time that a deployment waits for another one at most
 */
record DeployLimits(
        PackageLimits packages, SessionLimits sessions, Duration idle, Duration maxWait) {}
