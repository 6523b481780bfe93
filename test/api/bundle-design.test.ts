import type { components } from '../../spec/generated/api';
import { LARGE, LOGOS } from '../helpers/banner/logos';
import { PROGRAM } from '../helpers/banner/program';
import { pathsOf, refusal } from '../helpers/http/refusal';
import { useServer } from '../helpers/server';

const server = useServer({ variables: { ROLE: 'api' }, program: PROGRAM });

type Design = components['schemas']['BannerDesign'];
const LOGO = { image: LOGOS.png, width: 120, height: 40, alt: 'Example shop' };

async function openSite() {
  const { client, token } = await server.site();
  const { settings } = await client.getEnvironment({ token });
  const withDesign = (design: unknown) => ({
    settings: { banner: { ...settings.banner, ...(design !== undefined && { design }) } },
  });
  const publish = async (design?: Design) => {
    await client.updateEnvironment({ token, body: withDesign(design) as never });
    const { hash, bytes } = await client.generateBundle({ token });
    const { config, warnings } = await client.getBundleRecord({ token, hash });
    const { script } = await client.previewBundle({ token });
    return { hash, bytes, config, warnings, script };
  };
  const refused = async (design: unknown) =>
    refusal(client.updateEnvironment({ token, body: withDesign(design) } as never));
  return { client, token, publish, refused };
}

test('without a design, and with one that is as usual, a bundle has not a byte of it', async () => {
  const { publish } = await openSite();
  const { config, script } = await publish();
  expect(config).not.toHaveProperty('design');
  const usual: Design[] = [
    {},
    { font: 'system', font_size: 16, radius: 12, button_radius: 8, spacing: 'normal', elevation: 'medium' },
    { control_position: 'bottom_left', parts: false },
  ];
  for (const design of usual) {
    const made = await publish(design);
    const version = (text: string) => text.replace(/"settings_version":\d+|[\w-]{24}/g, '');
    expect(made.config).not.toHaveProperty('design');
    expect(version(made.script)).toBe(version(script));
  }
});

test('every value changes the bundle, its hash and what its record tells, and gets the program for it', async () => {
  const { publish } = await openSite();
  const plain = await publish();
  const designs: [Design, RegExp][] = [
    [{ font: 'serif' }, /font-family:Charter,/],
    [{ font: 'rounded' }, /font-family:ui-rounded,/],
    [{ font: 'mono' }, /font-family:ui-monospace,/],
    [{ font: 'inherit' }, /font-family:inherit!important/],
    [{ font_size: 20 }, /font-size:max\(1\.25rem,20px\)!important/],
    [{ font_size: 14 }, /font-size:max\(0\.875rem,14px\)!important/],
    [{ radius: 0 }, /dialog:not\(\.bar\)\{border-radius:0px\}/],
    [{ button_radius: 24 }, /button\{border-radius:24px\}/],
    [{ spacing: 'compact' }, /gap:\.375em/],
    [{ spacing: 'roomy' }, /gap:\.75em/],
    [{ elevation: 'none' }, /box-shadow:none/],
    [{ elevation: 'low' }, /box-shadow:0 \.125em/],
    [{ elevation: 'high' }, /box-shadow:0 1em/],
    [{ control_position: 'top_right' }, /-block,1em auto\).*-inline,auto 1em\)/],
    [{ parts: true }, /\.actions>\.answer\{grid-column:auto!important\}/],
    [{ logo: LOGO }, /\.logo\{display:block;width:120px;max-width:100%;aspect-ratio:96\/32/],
  ];
  const hashes = new Set([plain.hash]);
  for (const [design, rules] of designs) {
    const { hash, config, script } = await publish(design);
    hashes.add(hash);
    expect(config.design).toEqual({
      styles: expect.stringMatching(rules),
      parts: design.parts === true,
      ...(design.logo && { logo: { image: LOGO.image, alt: LOGO.alt } }),
    });
    expect(script).toContain('designed:true');
  }
  expect(hashes.size).toBe(designs.length + 1);
});

test('a design goes with a cookie, regions, and a choice by vendor', async () => {
  const { client, token, publish } = await openSite();
  await publish({ radius: 3 });
  const programOf = async (settings: object) => {
    await client.updateEnvironment({ token, body: { settings } });
    return (await client.previewBundle({ token })).script;
  };
  expect(await programOf({ regions: { rules: 'law' } })).toContain('regional:true,designed:true');
  expect(await programOf({ choice_by_vendor: true })).toContain('byVendor:true,designed:true');
  const { settings } = await client.getEnvironment({ token });
  expect(await programOf({ choice_by_vendor: false, banner: { ...settings.banner, cookie: {} } })).toContain(
    'regional:true,shares:true,designed:true',
  );
});

test('values beyond their bounds, other fonts and free rules are refused', async () => {
  const { refused } = await openSite();
  const bad: [object, string][] = [
    [{ font: 'Comic Sans MS' }, 'font'],
    [{ font: 'serif;}*{display:none' }, 'font'],
    [{ font_size: 13 }, 'font_size'],
    [{ font_size: 21 }, 'font_size'],
    [{ font_size: 15.5 }, 'font_size'],
    [{ radius: -1 }, 'radius'],
    [{ radius: 25 }, 'radius'],
    [{ button_radius: 25 }, 'button_radius'],
    [{ spacing: 'none' }, 'spacing'],
    [{ elevation: '0 0 9em red' }, 'elevation'],
    [{ control_position: 'center' }, 'control_position'],
    [{ parts: 'yes' }, 'parts'],
    [{ css: '*{display:none}' }, 'css'],
    [{ logo: { ...LOGO, width: 15 } }, 'logo.width'],
    [{ logo: { ...LOGO, width: 321 } }, 'logo.width'],
    [{ logo: { ...LOGO, height: 97 } }, 'logo.height'],
    [{ logo: { ...LOGO, alt: '' } }, 'logo.alt'],
    [{ logo: { ...LOGO, alt: ' ' } }, 'logo.alt'],
    [{ logo: { ...LOGO, alt: undefined } }, 'logo.alt'],
  ];
  for (const [design, path] of bad)
    expect([design, pathsOf(await refused(design))]).toEqual([
      design,
      [`body.settings.banner.design.${path}`],
    ]);
});

test('a logo in each format is taken', async () => {
  const { publish } = await openSite();
  for (const image of Object.values(LOGOS))
    expect((await publish({ logo: { ...LOGO, image } })).config.design?.styles).toContain(
      'aspect-ratio:96/32',
    );
});

test('a logo that no browser would show, or none should, is refused with words', async () => {
  const { refused } = await openSite();
  const text = (image: string) => image.slice(image.indexOf(',') + 1);
  const bytes = (...all: number[]) => Buffer.from(all).toString('base64');
  const bad: [image: string, words: RegExp][] = [
    ['https://shop.example.com/logo.png', /must be a PNG, WebP or JPEG as a data URL/],
    ['data:image/svg+xml;base64,PHN2Zy8+', /must be a PNG, WebP or JPEG as a data URL/],
    ['data:image/gif;base64,R0lGODlhAQABAAAAACw=', /must be a PNG, WebP or JPEG as a data URL/],
    [`${LOGOS.png}">`, /must be a PNG, WebP or JPEG as a data URL/],
    [`data:image/png;base64,${'A'.repeat(16_384)}`, /16384/],
    ['data:image/png;base64,PHN2Zy8+', /is not the image that its type says/],
    [`data:image/jpeg;base64,${text(LOGOS.png)}`, /is not the image that its type says/],
    [`data:image/png;base64,${text(LOGOS.webp)}`, /is not the image that its type says/],
    // Ends ahead of its size, or within a letter of base64.
    [LOGOS.png.slice(0, 42), /is not the image that its type says/],
    [`${LOGOS.png.slice(0, 101)}`, /is not the image that its type says/],
    [`data:image/jpeg;base64,${bytes(0xff, 0xd8, 0xff, 0xe0, 0, 0)}`, /is not the image that its type says/],
    [`data:image/jpeg;base64,${bytes(0xff, 0xd8, 0xff)}`, /is not the image that its type says/],
    // A marker without a length, or a fill byte, ahead of a frame of 8 × 8.
    ...[0x00, 0x01, 0xbf, 0xd0, 0xd7, 0xd8, 0xd9, 0xff].map((marker): [string, RegExp] => [
      `data:image/jpeg;base64,${bytes(0xff, 0xd8, 0xff, marker, 0, 2, 0xff, 0xc0, 0, 11, 8, 0, 8, 0, 8, 1, 1, 17, 0)}`,
      /is not the image that its type says/,
    ]),
    [LARGE, /has 1025 × 8 pixels, and may have 1024 each way/],
  ];
  for (const [image, words] of bad) {
    const { errors } = await refused({ logo: { ...LOGO, image } });
    expect([image, errors]).toEqual([
      image,
      [
        expect.objectContaining({
          path: 'body.settings.banner.design.logo.image',
          message: expect.stringMatching(words),
        }),
      ],
    ]);
  }
});

test('a heavy logo is warned of by itself', async () => {
  const { publish } = await openSite();
  expect((await publish({ logo: LOGO })).warnings.map(({ path }) => path)).not.toContain(
    'settings.banner.design.logo',
  );
  // What follows the end of a PNG is ignored.
  const heavy = Buffer.concat([Buffer.from(LOGOS.png.split(',')[1] ?? '', 'base64'), Buffer.alloc(6_000, 7)]);
  const image = `data:image/png;base64,${heavy.toString('base64')}`;
  const { warnings } = await publish({ logo: { ...LOGO, image } });
  expect(warnings.filter(({ code }) => code === 'too_large')).toEqual([
    expect.objectContaining({
      path: 'settings.banner.design.logo',
      message: expect.stringContaining('6.1 KiB'),
    }),
  ]);
});
