<?php
/**
 * Deletes what the plugin has stored.
 *
 * @package AvowConsent
 */

defined( 'WP_UNINSTALL_PLUGIN' ) || exit;

delete_option( 'avow_consent' );
