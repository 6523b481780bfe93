<?php
/**
 * Plugin Name:       Avow consent banner
 * Plugin URI:        https://github.com/avow-consent/avow
 * Description:       Puts the consent banner of your own Avow into every page, and makes scripts, embeds and other plugins wait for consent.
 * Version:           1.0.0
 * Requires at least: 6.1
 * Requires PHP:      7.4
 * License:           MIT
 * License URI:       https://opensource.org/license/mit
 * Text Domain:       avow-consent
 *
 * @package AvowConsent
 */

defined( 'ABSPATH' ) || exit;

define( 'AVOW_CONSENT_FILE', __FILE__ );

require_once __DIR__ . '/includes/options.php';
require_once __DIR__ . '/includes/snippet.php';
require_once __DIR__ . '/includes/blocking.php';
require_once __DIR__ . '/includes/consent-api.php';
require_once __DIR__ . '/includes/optimizers.php';
require_once __DIR__ . '/includes/shortcodes.php';

if ( is_admin() ) {
	require_once __DIR__ . '/includes/settings-page.php';
}
