<?php
/**
 * The WP Consent API (https://wordpress.org/plugins/wp-consent-api/): plugins that know it ask there.
 *
 * @package AvowConsent
 */

defined( 'ABSPATH' ) || exit;

add_filter( 'wp_consent_api_registered_' . plugin_basename( AVOW_CONSENT_FILE ), '__return_true' );
add_filter( 'wp_get_consent_type', 'avow_consent_type' );
add_action( 'wp_head', 'avow_consent_print_bridge', PHP_INT_MIN + 1 );

/**
 * Nothing is allowed until the visitor agrees.
 *
 * @param string|false $type What another plugin says.
 * @return string|false
 */
function avow_consent_type( $type ) {
	return null === avow_consent_banner() ? $type : 'optin';
}

/**
 * The categories of Avow for those of the WP Consent API.
 *
 * @return array<string, string>
 */
function avow_consent_api_categories() {
	/**
	 * Filters which category of Avow each one of the WP Consent API follows.
	 *
	 * @param array<string, string> $categories Keys of Avow's categories by those of the WP Consent API.
	 */
	return apply_filters(
		'avow_consent_api_categories',
		array(
			'functional'           => 'necessary',
			'preferences'          => 'functional',
			'statistics-anonymous' => 'analytics',
			'statistics'           => 'analytics',
			'marketing'            => 'marketing',
		)
	);
}

/** Tells the WP Consent API of each decision, and that an earlier one is not in force any more. */
function avow_consent_print_bridge() {
	if ( null === avow_consent_banner() || ! function_exists( 'wp_set_consent' ) ) {
		return;
	}
	$script = sprintf(
		'(function(w,map){w.wp_consent_type="optin";document.dispatchEvent(new CustomEvent("wp_consent_type_defined"));' .
		// Read when it is told: the other plugin's script may come late, and the visitor has decided again since.
		'var tell=function(){var c=w.Avow.getConsent(),k;for(k in map)' .
		// Where the visitor is asked again, what is necessary stays allowed.
		'if(c)w.wp_set_consent(k,c.categories[map[k]]===true?"allow":"deny");' .
		'else if(map[k]!=="necessary"&&w.wp_has_consent(k))w.wp_set_consent(k,"deny")},' .
		'follow=function(){w.wp_set_consent?tell():w.addEventListener("load",function(){w.wp_set_consent&&tell()})};' .
		'(w.Avow=w.Avow||[]).push(["on","consent",follow],["on","show",function(){w.Avow.getConsent()||follow()}])})(window,%s)',
		wp_json_encode( avow_consent_api_categories(), JSON_HEX_TAG | JSON_HEX_AMP )
	);
	wp_print_inline_script_tag( $script, array( 'data-cfasync' => 'false' ) );
}
