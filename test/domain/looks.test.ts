import type { Schemas } from '@avow/sdk';
import { LOOKS, withLook } from '../../server/console/src/pages/banner/looks';
import { contrast, MIN_CONTRAST } from '../../server/src/domain/banner/colours';
import { designOf } from '../../server/src/domain/banner/design';
import { defaultSettings } from '../../server/src/domain/settings';
import { LOGOS } from '../helpers/banner/logos';

type Banner = Schemas['Banner'];

const present: Banner = defaultSettings().banner;

test.each(LOOKS.map((look) => [look.name, look] as const))(
  'the ready look %s can be read in light and dark, and its buttons stand out',
  (_, { banner }) => {
    for (const colours of [banner.colours, banner.dark_colours]) {
      expect(contrast(colours.text, colours.background)).toBeGreaterThanOrEqual(MIN_CONTRAST);
      expect(contrast(colours.button_text, colours.button_background)).toBeGreaterThanOrEqual(MIN_CONTRAST);
      // WCAG 2.2, 1.4.11.
      expect(contrast(colours.button_background, colours.background)).toBeGreaterThanOrEqual(3);
    }
  },
);

test('looks have names and designs of their own', () => {
  const made = LOOKS.map((look) => JSON.stringify({ ...withLook(look, present), name: undefined }));
  expect(new Set(made).size).toBe(LOOKS.length);
  expect(new Set(LOOKS.map(({ name }) => name)).size).toBe(LOOKS.length);
});

test('a look leaves texts, buttons, logo, parts and the place of the control', () => {
  const logo = { image: LOGOS.png, width: 60, height: 20, alt: 'Shop' };
  const before: Banner = {
    ...present,
    control: 'custom',
    design: { logo, parts: true, control_position: 'top_right', radius: 3 },
  };
  for (const look of LOOKS) {
    const after = { ...before, ...withLook(look, before) };
    expect(after).toMatchObject({
      control: 'custom',
      texts: {},
      first_layer_buttons: before.first_layer_buttons,
    });
    expect(after.design).toEqual({ ...look.design, logo, parts: true, control_position: 'top_right' });
  }
  // The first is as a new site is: no byte more.
  const [first] = LOOKS;
  expect(designOf(first && withLook(first, present).design)).toBeUndefined();
});
