package org.crabro.container.service;

import org.crabro.container.secret.Secrets;

/**
 * What an operator gives to the components of packages that call network services.
 *
 * @param secrets the keys of services
 * @param hosts the hosts that may be called
 */
public record ServiceRules(Secrets secrets, ServiceHosts hosts) {
    /** Allows no calls. */
    public static final ServiceRules NONE = new ServiceRules(Secrets.NONE, ServiceHosts.NONE);

    /** Returns these rules with other secrets. */
    public ServiceRules withSecrets(Secrets other) {
        return new ServiceRules(other, hosts);
    }

    /** Returns these rules with other hosts. */
    public ServiceRules withHosts(ServiceHosts other) {
        return new ServiceRules(secrets, other);
    }
}
