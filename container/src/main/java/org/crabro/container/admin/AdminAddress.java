package org.crabro.container.admin;

import org.crabro.config.application.ApplicationName;

/**
 * What a path below {@link AdminPath#ROOT} asks for, and of whom.
 *
 * @param name whom the path names; what it does not name is called default
 */
record AdminAddress(ApplicationName name, AdminPath path) {
    /** Of nobody in particular. */
    AdminAddress(AdminPath path) {
        this(ApplicationName.DEFAULT, path);
    }
}
