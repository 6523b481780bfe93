<?php
/**
 * [avow_settings] is a button that opens the settings; [avow_cookies], the cookie declaration.
 *
 * @package AvowConsent
 */

defined( 'ABSPATH' ) || exit;

add_shortcode( 'avow_settings', 'avow_consent_settings_button' );
add_shortcode( 'avow_cookies', 'avow_consent_cookie_declaration' );
add_action( 'admin_init', 'avow_consent_suggest_policy' );

/**
 * A button that opens the settings, for instance in the footer.
 *
 * @param array<string, string>|string $given   `label`.
 * @return string
 */
function avow_consent_settings_button( $given ) {
	$attributes = shortcode_atts( array( 'label' => __( 'Privacy settings', 'avow-consent' ) ), $given, 'avow_settings' );
	if ( null === avow_consent_banner() ) {
		return '';
	}
	$id     = wp_unique_id( 'avow-settings-' );
	$script = sprintf( 'document.getElementById(%s).addEventListener("click",function(){(window.Avow=window.Avow||[]).push(["show"])})', wp_json_encode( $id ) );
	return sprintf( '<button type="button" class="avow-settings" id="%s">%s</button>', esc_attr( $id ), esc_html( $attributes['label'] ) ) . wp_get_inline_script_tag( $script );
}

/**
 * What the site stores in browsers, in the language of the page and the style of the theme.
 *
 * @return string
 */
function avow_consent_cookie_declaration() {
	$banner = avow_consent_banner();
	if ( null === $banner ) {
		return '';
	}
	$id      = wp_unique_id( 'avow-cookies-' );
	$address = $banner['server'] . '/pages/' . $banner['token'] . '/cookies/fragment?lang=' . rawurlencode( str_replace( '_', '-', determine_locale() ) );
	$script  = sprintf(
		'fetch(%s).then(function(r){return r.ok?r.text():""}).then(function(t){document.getElementById(%s).innerHTML=t})',
		wp_json_encode( $address, JSON_UNESCAPED_SLASHES | JSON_HEX_TAG ),
		wp_json_encode( $id )
	);
	return sprintf( '<div id="%s"></div>', esc_attr( $id ) ) . wp_get_inline_script_tag( $script );
}

/** A passage for the site's privacy policy, which WordPress offers to its author. */
function avow_consent_suggest_policy() {
	if ( function_exists( 'wp_add_privacy_policy_content' ) ) {
		wp_add_privacy_policy_content(
			'Avow',
			'<p>' . esc_html__( 'We ask for your consent before we store or read anything on your device that is not strictly necessary. Your decision is kept in your browser, and recorded on our own server with a random number, the time, the page, your browser and a shortened address, so that we can prove it. You can change it at any time with “Privacy settings” on every page.', 'avow-consent' ) . '</p>'
		);
	}
}
