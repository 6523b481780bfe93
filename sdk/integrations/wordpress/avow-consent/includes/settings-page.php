<?php
/**
 * Settings → Avow.
 *
 * @package AvowConsent
 */

defined( 'ABSPATH' ) || exit;

add_action( 'admin_menu', 'avow_consent_add_page' );
add_action( 'admin_init', 'avow_consent_register' );
add_filter( 'plugin_action_links_' . plugin_basename( AVOW_CONSENT_FILE ), 'avow_consent_action_link' );

/** Adds the page to the menu. */
function avow_consent_add_page() {
	add_options_page( __( 'Avow consent banner', 'avow-consent' ), 'Avow', 'manage_options', 'avow-consent', 'avow_consent_render_page' );
}

/** Registers the option with its check. */
function avow_consent_register() {
	register_setting(
		'avow_consent',
		AVOW_CONSENT_OPTION,
		array(
			'type'              => 'array',
			'sanitize_callback' => 'avow_consent_sanitize',
			'show_in_rest'      => false,
		)
	);
}

/**
 * A link to the page, in the list of plugins.
 *
 * @param string[] $links Links.
 * @return string[]
 */
function avow_consent_action_link( $links ) {
	$url = admin_url( 'options-general.php?page=avow-consent' );
	return array_merge( array( sprintf( '<a href="%s">%s</a>', esc_url( $url ), esc_html__( 'Settings', 'avow-consent' ) ) ), $links );
}

/** The page. */
function avow_consent_render_page() {
	$options = avow_consent_options();
	$lines   = array();
	foreach ( $options['handles'] as $handle => $category ) {
		$lines[] = $handle . ' ' . $category;
	}
	$banner = avow_consent_banner();
	?>
	<div class="wrap">
		<h1><?php esc_html_e( 'Avow consent banner', 'avow-consent' ); ?></h1>
		<?php if ( null === $banner ) : ?>
			<div class="notice notice-warning inline"><p><?php esc_html_e( 'No page has the banner yet: enter its snippet.', 'avow-consent' ); ?></p></div>
		<?php else : ?>
			<p><?php echo esc_html( sprintf( /* translators: 1: a token, 2: an address */ __( 'Every page has the banner of %1$s from %2$s.', 'avow-consent' ), $banner['token'], $banner['server'] ) ); ?></p>
		<?php endif; ?>
		<form action="options.php" method="post">
			<?php settings_fields( 'avow_consent' ); ?>
			<table class="form-table" role="presentation">
				<tr>
					<th scope="row"><label for="avow-snippet"><?php esc_html_e( 'Snippet', 'avow-consent' ); ?></label></th>
					<td>
						<textarea id="avow-snippet" name="avow_consent[snippet]" rows="6" class="large-text code" maxlength="5000" aria-describedby="avow-snippet-help" <?php disabled( ! current_user_can( 'unfiltered_html' ) ); ?>><?php echo esc_textarea( $options['snippet'] ); ?></textarea>
						<?php if ( ! current_user_can( 'unfiltered_html' ) ) : ?>
							<input type="hidden" name="avow_consent[snippet]" value="<?php echo esc_attr( $options['snippet'] ); ?>">
						<?php endif; ?>
						<p class="description" id="avow-snippet-help"><?php esc_html_e( 'All of it, as the console of Avow shows it under Banner.', 'avow-consent' ); ?></p>
					</td>
				</tr>
				<tr>
					<th scope="row"><label for="avow-handles"><?php esc_html_e( 'Scripts that wait for consent', 'avow-consent' ); ?></label></th>
					<td>
						<textarea id="avow-handles" name="avow_consent[handles]" rows="6" class="large-text code" aria-describedby="avow-handles-help"><?php echo esc_textarea( implode( "\n", $lines ) ); ?></textarea>
						<p class="description" id="avow-handles-help"><?php esc_html_e( 'On each line the handle of a script and the category that must be allowed, such as: google-tag analytics. A handle is the id of the script’s element without -js at its end.', 'avow-consent' ); ?></p>
					</td>
				</tr>
				<tr>
					<th scope="row"><label for="avow-embeds"><?php esc_html_e( 'Category of embeds', 'avow-consent' ); ?></label></th>
					<td>
						<input id="avow-embeds" name="avow_consent[embeds]" type="text" class="regular-text code" maxlength="40" value="<?php echo esc_attr( $options['embeds'] ); ?>" aria-describedby="avow-embeds-help">
						<p class="description" id="avow-embeds-help"><?php esc_html_e( 'Videos, maps and posts of other sites wait until it is allowed, such as: marketing. Leave it empty if they are shown at once.', 'avow-consent' ); ?></p>
					</td>
				</tr>
			</table>
			<?php submit_button(); ?>
		</form>
	</div>
	<?php
}
