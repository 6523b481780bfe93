<?php
/**
 * What the plugin keeps: one option, checked when it is saved.
 *
 * @package AvowConsent
 */

defined( 'ABSPATH' ) || exit;

const AVOW_CONSENT_OPTION = 'avow_consent';

/** As in the settings of Avow: a lower-case name. */
const AVOW_CONSENT_CATEGORY = '/^[a-z][a-z0-9_-]{0,39}$/D';

/** The script of a site's banner, with its address, token and hash. */
const AVOW_CONSENT_SCRIPT = '#<script( async)? src="((https?://[^"\s<>]+)/api/bundles/(env_[0-9A-Za-z]{22})(/[0-9A-Za-z_-]{8,88})?\.js)"((?: (?:integrity|crossorigin|data-server)="[^"<>]*")*)></script>$#D';

/**
 * The options, complete.
 *
 * @return array{snippet: string, handles: array<string, string>, embeds: string}
 */
function avow_consent_options() {
	$stored = get_option( AVOW_CONSENT_OPTION );
	return array_merge(
		array(
			'snippet' => '',
			'handles' => array(),
			'embeds'  => '',
		),
		is_array( $stored ) ? $stored : array()
	);
}

/**
 * The parts of a snippet as the console of Avow shows it, or null if it is something else.
 *
 * @param string $snippet HTML.
 * @return array{stub: string, address: string, server: string, token: string, attributes: string, async: bool}|null
 */
function avow_consent_parse_snippet( $snippet ) {
	if ( strlen( $snippet ) > 5000 || 1 !== preg_match( AVOW_CONSENT_SCRIPT, $snippet, $found ) ) {
		return null;
	}
	$stub = '';
	$rest = substr( $snippet, 0, -strlen( $found[0] ) );
	if ( '' !== trim( $rest ) ) {
		// One inline script and nothing else: what follows `</script` would be markup of somebody else.
		if ( 1 !== preg_match( '#^\s*<script>((?:(?!</?script)[^\x00])+)</script>\s*$#iD', $rest, $inline ) ) {
			return null;
		}
		$stub = $inline[1];
	}
	return array(
		'stub'       => $stub,
		'address'    => $found[2],
		'server'     => $found[3],
		'token'      => $found[4],
		'attributes' => $found[6],
		'async'      => '' !== $found[1],
	);
}

/**
 * The banner of this site, or null until its snippet is there.
 *
 * @return array{stub: string, address: string, server: string, token: string, attributes: string, async: bool}|null
 */
function avow_consent_banner() {
	return avow_consent_parse_snippet( avow_consent_options()['snippet'] );
}

/**
 * Checks what a person has entered. What is wrong stays as it was, and is said.
 *
 * @param mixed $input The form's fields.
 * @return array{snippet: string, handles: array<string, string>, embeds: string}
 */
function avow_consent_sanitize( $input ) {
	$before = avow_consent_options();
	if ( ! is_array( $input ) ) {
		return $before;
	}
	return array(
		'snippet' => avow_consent_sanitize_snippet( $input['snippet'] ?? '', $before['snippet'] ),
		'handles' => avow_consent_sanitize_handles( $input['handles'] ?? '', $before['handles'] ),
		'embeds'  => avow_consent_sanitize_category( $input['embeds'] ?? '', $before['embeds'] ),
	);
}

/**
 * Only who may write scripts into pages may change the snippet: not every administrator of a network of sites.
 *
 * @param mixed  $value  What was entered.
 * @param string $before What is stored.
 * @return string
 */
function avow_consent_sanitize_snippet( $value, $before ) {
	$snippet = trim( (string) $value );
	if ( $snippet === $before ) {
		return $before;
	}
	if ( ! current_user_can( 'unfiltered_html' ) ) {
		return avow_consent_refuse( 'snippet', __( 'You may not write scripts into pages of this site: ask a network administrator to enter the snippet.', 'avow-consent' ), $before );
	}
	if ( '' !== $snippet && null === avow_consent_parse_snippet( $snippet ) ) {
		return avow_consent_refuse( 'snippet', __( 'This is not the snippet of an Avow banner. Copy all of it from the console, under Banner.', 'avow-consent' ), $before );
	}
	return $snippet;
}

/**
 * Lines of a script's handle and its category.
 *
 * @param mixed                 $value  What was entered.
 * @param array<string, string> $before What is stored.
 * @return array<string, string>
 */
function avow_consent_sanitize_handles( $value, $before ) {
	$handles = array();
	if ( is_array( $value ) ) {
		// WordPress checks twice what it stores for the first time.
		$lines = array();
		foreach ( $value as $handle => $category ) {
			$lines[] = $handle . ' ' . ( is_string( $category ) ? $category : '' );
		}
		$value = implode( "\n", $lines );
	}
	foreach ( explode( "\n", (string) $value ) as $line ) {
		$words = preg_split( '/[\s:=]+/', trim( $line ), -1, PREG_SPLIT_NO_EMPTY );
		if ( array() === $words ) {
			continue;
		}
		if ( 2 !== count( $words ) || 1 !== preg_match( AVOW_CONSENT_CATEGORY, $words[1] ) ) {
			/* translators: %s: a line that was entered */
			return avow_consent_refuse( 'handles', sprintf( __( '“%s” is not a handle and a category, such as: google-tag analytics', 'avow-consent' ), $line ), $before );
		}
		$handles[ $words[0] ] = $words[1];
	}
	return $handles;
}

/**
 * A category, or none.
 *
 * @param mixed  $value  What was entered.
 * @param string $before What is stored.
 * @return string
 */
function avow_consent_sanitize_category( $value, $before ) {
	$category = trim( (string) $value );
	if ( '' === $category || 1 === preg_match( AVOW_CONSENT_CATEGORY, $category ) ) {
		return $category;
	}
	return avow_consent_refuse( 'embeds', __( 'Enter the key of a category as it stands in Avow, such as: marketing', 'avow-consent' ), $before );
}

/**
 * Says what is wrong, and keeps what was there.
 *
 * @template T
 * @param string $field   The field.
 * @param string $message What to do.
 * @param T      $before  What is stored.
 * @return T
 */
function avow_consent_refuse( $field, $message, $before ) {
	add_settings_error( AVOW_CONSENT_OPTION, $field, $message );
	return $before;
}
