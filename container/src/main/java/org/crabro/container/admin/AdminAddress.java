package org.crabro.container.admin;

import org.crabro.config.application.ApplicationName;

/**
 * The target of a path below {@link AdminPath#ROOT}, and its application.
 *
 * @param name of the application in the path; missing parts are {@code default}
 */
record AdminAddress(ApplicationName name, AdminPath path) {
    /** The target without a name of an application. */
    AdminAddress(AdminPath path) {
        this(ApplicationName.DEFAULT, path);
    }
}
