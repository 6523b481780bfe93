import type { BannerColours } from '../types';

/** The contrast of two colours (`#rrggbb`) from 1 to 21, as WCAG 2.2 defines it. */
export function contrast(a: string, b: string): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** WCAG 2.2, success criterion 1.4.3: the least contrast of text. */
export const MIN_CONTRAST = 4.5;
/** Below it a button does not stand out of a dark banner (WCAG 2.2, 1.4.11 asks for 3). */
const BUTTON_CONTRAST = 7;
const DARK = { background: '#1b1b1f', text: '#f2f2f5' };
const INK = '#10131c';
const WHITE = '#ffffff';

/**
 * Dark colours derived from the usual ones. A banner that is already dark is unchanged; otherwise the button
 * keeps its hue and is mixed with white, in steps of a twentieth, until its contrast suffices.
 */
export function darkColours(light: BannerColours): BannerColours {
  if (contrast(light.background, '#000000') < contrast(light.background, WHITE)) return light;
  let button = light.button_background;
  for (let part = 1; contrast(button, DARK.background) < BUTTON_CONTRAST && part <= 20; part += 1)
    button = mix(light.button_background, WHITE, part / 20);
  const button_text = contrast(button, INK) >= contrast(button, WHITE) ? INK : WHITE;
  return { ...DARK, button_background: button, button_text };
}

function mix(from: string, to: string, part: number): string {
  const channels = [1, 3, 5].map((at) => {
    const [a, b] = [from, to].map((colour) => Number.parseInt(colour.slice(at, at + 2), 16)) as [
      number,
      number,
    ];
    return Math.round(a + (b - a) * part)
      .toString(16)
      .padStart(2, '0');
  });
  return `#${channels.join('')}`;
}
