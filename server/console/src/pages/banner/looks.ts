import type { Schemas } from '@avow/sdk';

type Banner = Schemas['Banner'];
type Design = NonNullable<Banner['design']>;

/** A ready look: what it sets; buttons, texts, logo and all others stay as they are. */
export interface Look {
  name: string;
  about: string;
  banner: Pick<Banner, 'layout' | 'position' | 'theme' | 'colours'> & Required<Pick<Banner, 'dark_colours'>>;
  design: Omit<Design, 'logo' | 'parts' | 'control_position'>;
}

export const LOOKS: readonly Look[] = [
  {
    name: 'Classic',
    about: 'A white box in a corner, with blue buttons.',
    banner: {
      ...{ layout: 'box', position: 'bottom_right', theme: 'auto' },
      colours: look('#ffffff', '#1b1b1f', '#1f4fd8', '#ffffff'),
      dark_colours: look('#1b1b1f', '#f2f2f5', '#9db3f0', '#10131c'),
    },
    design: {},
  },
  {
    name: 'Paper',
    about: 'A bar in the colours of paper and ink, in a font with serifs.',
    banner: {
      ...{ layout: 'bar', position: 'bottom', theme: 'auto' },
      colours: look('#fbf7ef', '#2b2620', '#5b4636', '#ffffff'),
      dark_colours: look('#211d18', '#f3ece0', '#e3c9a4', '#221c14'),
    },
    design: { font: 'serif', font_size: 17, button_radius: 2, elevation: 'low' },
  },
  {
    name: 'Soft',
    about: 'A roomy box with round corners and violet buttons.',
    banner: {
      ...{ layout: 'box', position: 'bottom_left', theme: 'auto' },
      colours: look('#ffffff', '#22223b', '#6d28d9', '#ffffff'),
      dark_colours: look('#1e1b2e', '#f1effa', '#c4b5fd', '#1e1b2e'),
    },
    design: { font: 'rounded', radius: 24, button_radius: 24, spacing: 'roomy', elevation: 'high' },
  },
  {
    name: 'Terminal',
    about: 'A narrow bar in black and white, with letters of one width and no shadow.',
    banner: {
      ...{ layout: 'bar', position: 'bottom', theme: 'auto' },
      colours: look('#ffffff', '#111111', '#111111', '#ffffff'),
      dark_colours: look('#111111', '#f5f5f5', '#f5f5f5', '#111111'),
    },
    design: {
      ...{ font: 'mono', font_size: 15, radius: 0, button_radius: 0, spacing: 'compact', elevation: 'none' },
    },
  },
  {
    name: 'Clear',
    about: 'A dialog with large text and the strongest contrast.',
    banner: {
      ...{ layout: 'dialog', position: 'center', theme: 'auto' },
      colours: look('#ffffff', '#000000', '#00318a', '#ffffff'),
      dark_colours: look('#000000', '#ffffff', '#ffe066', '#000000'),
    },
    design: { font_size: 19, radius: 8, button_radius: 6, spacing: 'roomy' },
  },
  {
    name: 'Forest',
    about: 'A light green box in a corner, with dark green buttons.',
    banner: {
      ...{ layout: 'box', position: 'bottom_right', theme: 'auto' },
      colours: look('#f4f8f5', '#16281f', '#1b6b45', '#ffffff'),
      dark_colours: look('#14211b', '#e9f3ed', '#8fd6b0', '#0f1f17'),
    },
    design: { radius: 16, button_radius: 12, elevation: 'low' },
  },
];

function look(background: string, text: string, button_background: string, button_text: string) {
  return { background, text, button_background, button_text };
}

/** The banner with a ready look. Its own logo, parts and place of the control stay. */
export function withLook({ banner, design }: Look, present: Banner): Partial<Banner> {
  const { logo, parts, control_position } = present.design ?? {};
  return {
    ...banner,
    design: {
      ...design,
      ...(control_position && { control_position }),
      ...(parts && { parts }),
      ...(logo && { logo }),
    },
  };
}
