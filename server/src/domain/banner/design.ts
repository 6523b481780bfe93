import type { BannerDesign, BannerLogo, BundleDesign } from '../types';
import { type ImageSize, imageSize } from './image';
import { PINNED } from './pinned';

/** In pixels each way: three for each CSS pixel of the largest box. A canvas of a visitor holds four bytes of each. */
const MAX_PIXELS = 1024;

type Font = NonNullable<BannerDesign['font']>;
/** Fonts of systems, by kind; the script takes that of the page for `inherit`. */
const FONTS: Record<Exclude<Font, 'system'>, string> = {
  serif: 'Charter,"Bitstream Charter",Cambria,Georgia,serif',
  rounded: 'ui-rounded,"Hiragino Maru Gothic ProN","Arial Rounded MT Bold",Calibri,system-ui,sans-serif',
  mono: 'ui-monospace,"Cascadia Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace',
  inherit: 'inherit',
};
const SHADOWS = { none: 'none', low: '0 .125em .5em #0003', high: '0 1em 3em #0006' };
/** Where the window is as small as at 400 %, the buttons keep the little room that they have. */
const LARGE = '@media(min-width:30.01em),(min-height:30.01em)';
const SMALL = '@media(max-width:30em) and (max-height:30em)';
/** Wide letters want wider buttons, and below each other where three do not fit, so that no word is broken. */
const WIDE =
  '@media(min-width:60em){.bar .actions{width:min(36em,60%)}}@media(min-width:30.01em) and (max-width:44em){.bar .actions,.second .actions{grid:auto/1fr}}';
const SPACES = {
  compact:
    '.words{padding:.75em 1em .25em}h2,p{margin-bottom:.375em}.actions{gap:.375em;padding:.5em 1em .75em}.actions button{min-height:2.5em;padding:.375em .5em}section{padding-block:.5em}',
  roomy:
    '.words{padding:1.75em 1.75em .5em}h2,p{margin-bottom:.75em}.actions{gap:.75em;padding:1em 1.75em 1.75em}.actions button{min-height:3.25em;padding:.75em}section{padding-block:1em}',
};

/** What the script makes of a design; undefined where it is as usual, so that a bundle has not a byte of it. */
export function designOf(design: BannerDesign | undefined): BundleDesign | undefined {
  if (design === undefined) return undefined;
  const { logo, parts = false } = design;
  const styles = [
    ...textRules(design),
    ...panelRules(design),
    ...placeRules(design),
    ...logoRules(logo),
    ...(parts ? [PINNED] : []),
  ];
  if (styles.length === 0) return undefined;
  return {
    styles: styles.join(''),
    parts,
    ...(logo && { logo: { image: logo.image, alt: logo.alt } }),
  };
}

function textRules({ font = 'system', font_size: size = 16 }: BannerDesign): string[] {
  const rules = [
    ...(font === 'system' ? [] : [`font-family:${FONTS[font]}!important`]),
    ...(size === 16 ? [] : [`font-size:max(${size / 16}rem,${size}px)!important`]),
  ];
  return [
    ...(rules.length === 0 ? [] : [`:host(avow-banner),:host(avow-blocked){${rules.join(';')}}`]),
    ...(font === 'mono' || size > 16 ? [WIDE] : []),
  ];
}

function panelRules(design: BannerDesign): string[] {
  const { radius = 12, button_radius = 8, spacing = 'normal', elevation = 'medium' } = design;
  return [
    ...(radius === 12 ? [] : [`dialog:not(.bar){border-radius:${radius}px}`]),
    ...(button_radius === 8 ? [] : [`button{border-radius:${button_radius}px}`]),
    ...(elevation === 'medium' ? [] : [`dialog{box-shadow:${SHADOWS[elevation]}}`]),
    ...(spacing === 'normal' ? [] : [`${LARGE}{${SPACES[spacing]}}`]),
  ];
}

/** Left and right are beginning and end of the line. What the page says of the place comes first. */
function placeRules({ control_position: position = 'bottom_left' }: BannerDesign): string[] {
  if (position === 'bottom_left') return [];
  const [block, inline] = position.split('_');
  return [
    `.floating{inset-block:var(--avow-control-block,${block === 'top' ? '1em auto' : 'auto 1em'});inset-inline:var(--avow-control-inline,${inline === 'right' ? 'auto 1em' : '1em auto'})}`,
  ];
}

/** As large as it fits into its box, and known before the image is, so that nothing moves. */
function logoRules(logo: BannerLogo | undefined): string[] {
  if (logo === undefined) return [];
  const own = imageSize(logo.image) as ImageSize;
  const scale = Math.min(logo.width / own.width, logo.height / own.height);
  const width = Math.max(1, Math.round(own.width * scale));
  return [
    `.logo{display:block;width:${width}px;max-width:100%;aspect-ratio:${own.width}/${own.height};margin-block-end:.75em}`,
    `${SMALL}{.logo{display:none}}`,
  ];
}

/** Why no browser would show an image, or none should; undefined for a good one. */
export function logoFault({ image }: BannerLogo): string | undefined {
  const size = imageSize(image);
  if (size === undefined)
    return 'is not the image that its type says, or has parts that readers take in different ways: save it anew as PNG, WebP or JPEG, and send the whole file';
  if (Math.max(size.width, size.height) > MAX_PIXELS)
    return `has ${size.width} × ${size.height} pixels, and may have ${MAX_PIXELS} each way: make it smaller`;
  return undefined;
}
