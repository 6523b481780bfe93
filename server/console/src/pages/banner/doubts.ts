import type { Banner, Colours } from './draft';

/** With less contrast, many people cannot read the text (WCAG 2.2, 1.4.3 for large text). */
const MIN_CONTRAST = 3;

/** The relative luminance of a colour (WCAG 2.2). */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

const HEX = /^#[0-9a-f]{6}$/i;

const unreadable = (colours: Colours | undefined, name: string): string[] =>
  colours === undefined
    ? []
    : (
        [
          ['The text', colours.text, colours.background],
          ['The text on buttons', colours.button_text, colours.button_background],
        ] as const
      )
        .filter(
          ([, front, back]) => HEX.test(front) && HEX.test(back) && contrast(front, back) < MIN_CONTRAST,
        )
        .map(
          ([what, front, back]) =>
            `${what} is hard to read ${name}: its contrast is ${(Math.floor(contrast(front, back) * 10) / 10).toFixed(1)}:1, the minimum is ${MIN_CONTRAST}:1.`,
        );

/** Problems that make consents doubtful; they are shown before a banner is saved or published. */
export function doubtsOf({ theme, colours, dark_colours, first_layer_buttons: buttons }: Banner): string[] {
  return [
    ...(theme === 'dark' ? [] : unreadable(colours, 'on a light background')),
    ...(theme === 'light' ? [] : unreadable(dark_colours, 'on a dark background')),
    ...(buttons.includes('accept_all') && !buttons.includes('reject_all')
      ? ['The first layer has a button to accept, but none to reject.']
      : []),
  ];
}
