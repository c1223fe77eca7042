package org.crabro.config.deploy;

import org.crabro.config.queryprofile.QueryProfiles;
import org.crabro.config.rules.RuleBases;

/**
 * What a package says about all queries.
 *
 * @param profiles values of parameters
 * @param rules rules that rewrite words
 */
public record QuerySettings(QueryProfiles profiles, RuleBases rules) {}
