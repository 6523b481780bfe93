<?php
/**
 * Makes scripts and embeds wait for consent: the banner releases what has `data-category`.
 *
 * @package AvowConsent
 */

defined( 'ABSPATH' ) || exit;

/** What browsers run as a script (WHATWG MIME Sniffing §4.6, JavaScript MIME types). */
const AVOW_CONSENT_SCRIPT_TYPES = '/^(?:(?:text|application)\/(?:x-)?(?:java|ecma)script|text\/(?:javascript1\.[0-5]|jscript|livescript))$/';

add_filter( 'script_loader_tag', 'avow_consent_block_script', 20, 2 );
add_filter( 'wp_inline_script_attributes', 'avow_consent_block_inline_script', 20 );
add_filter( 'embed_oembed_html', 'avow_consent_block_embed', 20 );
add_filter( 'embed_handler_html', 'avow_consent_block_embed', 20 );

/**
 * The scripts that a theme or plugin has registered under a handle, with what it prints before and after them.
 *
 * @param string $tag    HTML.
 * @param string $handle The handle.
 * @return string
 */
function avow_consent_block_script( $tag, $handle ) {
	$category = avow_consent_category_of( $handle );
	return null === $category ? $tag : avow_consent_hold( $tag, $category, array( 'script' ) );
}

/**
 * What is printed inline for such a script where WordPress does not put it into its tag.
 *
 * @param array<string, mixed> $attributes Of the element.
 * @return array<string, mixed>
 */
function avow_consent_block_inline_script( $attributes ) {
	$id       = isset( $attributes['id'] ) ? (string) $attributes['id'] : '';
	$handle   = preg_replace( '/-js(-extra|-translations|-before|-after)?$/D', '', $id );
	$category = '' === $id ? null : avow_consent_category_of( $handle );
	if ( null === $category ) {
		return $attributes;
	}
	return array_merge(
		$attributes,
		array(
			'type'          => 'text/plain',
			'data-category' => $category,
		)
	);
}

/**
 * A video, map or post of another site in a page: it gets a placeholder until it is allowed.
 *
 * @param string|false $html HTML.
 * @return string|false
 */
function avow_consent_block_embed( $html ) {
	$category = avow_consent_options()['embeds'];
	if ( '' === $category || null === avow_consent_banner() || ! is_string( $html ) ) {
		return $html;
	}
	return avow_consent_hold( $html, $category, array( 'iframe', 'script', 'img' ) );
}

/**
 * The category that a handle waits for. Without a banner nothing would ever be released, so that nothing waits.
 *
 * @param string $handle The handle.
 * @return string|null
 */
function avow_consent_category_of( $handle ) {
	/**
	 * Filters the categories of scripts, by handle, for plugins and themes that know their own.
	 *
	 * @param array<string, string> $handles Categories by handle.
	 */
	$handles = apply_filters( 'avow_consent_handles', avow_consent_options()['handles'] );
	return isset( $handles[ $handle ] ) && null !== avow_consent_banner() ? $handles[ $handle ] : null;
}

/**
 * Takes sources away from elements, and the type from scripts. Elements that wait already are left as they are.
 *
 * @param string   $html     HTML that WordPress or a theme has made.
 * @param string   $category The category.
 * @param string[] $names    Of elements.
 * @return string
 */
function avow_consent_hold( $html, $category, $names ) {
	$attributes = '((?:[^>"\']|"[^"]*"|\'[^\']*\')*+)';
	// A script with its text, in which no element is looked for; or the beginning of another element.
	$pattern = '#<(script)(?=[\s>/])' . $attributes . '>(.*?</script\s*>)|<(' . implode( '|', $names ) . ')(?=[\s>/])' . $attributes . '>#is';
	$held    = preg_replace_callback(
		$pattern,
		static function ( $found ) use ( $category, $names ) {
			$is_script = '' !== $found[1];
			if ( $is_script && ! in_array( 'script', $names, true ) ) {
				return $found[0];
			}
			$opening = $is_script ? avow_consent_hold_element( $found[1], $found[2], $category ) : avow_consent_hold_element( $found[4], $found[5], $category );
			if ( null === $opening ) {
				return $found[0];
			}
			return $opening . ( $is_script ? $found[3] : '' );
		},
		$html
	);
	// What cannot be read is not let through.
	return null === $held ? '' : $held;
}

/**
 * The beginning of an element that waits, or null where it may stay as it is.
 *
 * @param string $name     Of the element.
 * @param string $text     Its attributes, as they are written: what stands in a value, such as a title, is none.
 * @param string $category The category.
 * @return string|null
 */
function avow_consent_hold_element( $name, $text, $category ) {
	preg_match_all( '/([^\s"\'<>\/=]+)(?:\s*=\s*("[^"]*"|\'[^\']*\'|[^\s"\'=<>`]+))?/', $text, $pairs, PREG_SET_ORDER );
	$is_script = 'script' === strtolower( $name );
	$written   = '';
	foreach ( $pairs as $pair ) {
		$attribute = strtolower( $pair[1] );
		$value     = isset( $pair[2] ) ? '=' . $pair[2] : '';
		if ( 'data-category' === $attribute ) {
			return null;
		}
		if ( $is_script && 'type' === $attribute ) {
			$type = strtolower( trim( isset( $pair[2] ) ? $pair[2] : '', " \t\n\r\"'" ) );
			// Data, such as JSON-LD, is no script.
			if ( '' !== $type && 'module' !== $type && ! preg_match( AVOW_CONSENT_SCRIPT_TYPES, $type ) ) {
				return null;
			}
			$written .= 'module' === $type ? ' data-type="module"' : '';
			continue;
		}
		if ( 'src' === $attribute || 'srcset' === $attribute ) {
			$attribute = 'data-' . $attribute;
		}
		$written .= ' ' . $attribute . $value;
	}
	return '<' . $name . ( $is_script ? ' type="text/plain"' : '' ) . ' data-category="' . esc_attr( $category ) . '"' . $written . '>';
}
