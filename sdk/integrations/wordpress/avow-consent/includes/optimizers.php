<?php
/**
 * Plugins that combine, delay or defer scripts must leave the banner alone: it has to come first.
 *
 * @package AvowConsent
 */

defined( 'ABSPATH' ) || exit;

foreach ( array( 'rocket_delay_js_exclusions', 'rocket_exclude_js', 'rocket_exclude_defer_js', 'litespeed_optimize_js_excludes', 'litespeed_optm_js_defer_exc', 'sgo_js_minify_exclude_urls', 'sgo_javascript_combine_excluded_external_paths', 'wphb_minify_resource_exclude' ) as $avow_consent_filter ) {
	add_filter( $avow_consent_filter, 'avow_consent_exclude' );
}
add_filter( 'autoptimize_filter_js_exclude', 'avow_consent_exclude_words' );

/**
 * Adds the banner to a list of exceptions.
 *
 * @param mixed $list The list.
 * @return mixed
 */
function avow_consent_exclude( $list ) {
	return is_array( $list ) ? array_merge( $list, array( '/api/bundles/env_' ) ) : $list;
}

/**
 * Adds the banner to exceptions in one string.
 *
 * @param mixed $words The exceptions, separated by commas, or a list.
 * @return mixed
 */
function avow_consent_exclude_words( $words ) {
	return is_string( $words ) ? $words . ', /api/bundles/env_' : avow_consent_exclude( $words );
}
