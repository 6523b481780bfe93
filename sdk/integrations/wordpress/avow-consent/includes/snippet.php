<?php
/**
 * Puts the banner into the head of every page, before everything that themes and plugins print there.
 *
 * @package AvowConsent
 */

defined( 'ABSPATH' ) || exit;

add_action( 'wp_head', 'avow_consent_print_snippet', PHP_INT_MIN );

/** Prints the snippet. Where scripts need a nonce, another plugin adds it by the filters of WordPress. */
function avow_consent_print_snippet() {
	$banner = avow_consent_banner();
	if ( null === $banner ) {
		return;
	}
	// Programs that combine or delay scripts leave one with these attributes alone.
	$kept = array(
		'data-cfasync'     => 'false',
		'data-no-optimize' => '1',
		'data-no-defer'    => '1',
		'data-no-minify'   => '1',
	);
	if ( '' !== $banner['stub'] ) {
		/** This filter is documented in wp-includes/script-loader.php */
		$attributes = apply_filters( 'wp_inline_script_attributes', $kept, $banner['stub'] );
		// To the byte, because a policy may name its hash: `wp_get_inline_script_tag` would add lines.
		// phpcs:ignore WordPress.Security.EscapeOutput -- a script, checked when it was saved.
		printf( "<script%s>%s</script>\n", wp_sanitize_script_attributes( $attributes ), $banner['stub'] );
	}
	$attributes = array( 'src' => $banner['address'] ) + $kept;
	if ( $banner['async'] ) {
		$attributes['async'] = true;
	}
	preg_match_all( '/([a-z-]+)="([^"]*)"/', $banner['attributes'], $pairs, PREG_SET_ORDER );
	foreach ( $pairs as list( , $name, $value ) ) {
		$attributes[ $name ] = html_entity_decode( $value );
	}
	wp_print_script_tag( $attributes );
}
