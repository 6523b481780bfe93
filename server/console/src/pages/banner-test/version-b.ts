import type { Schemas, Site } from '../../app/data';
import type { Banner } from '../banner/draft';

type Test = Schemas['BannerTestSettings'];
type Texts = NonNullable<Test['banner']['texts']>;

/** What the page edits: version B as a whole banner but for its texts, of which only what differs is there. */
export interface TestDraft {
  banner: Banner;
  texts: Texts;
  share: number | undefined;
  aim: Test['aim'];
  smallest_difference: number | undefined;
}

/** Without a test, version B begins as what visitors see. */
export function toDraft({ settings: { banner, banner_test: test } }: Pick<Site, 'settings'>): TestDraft {
  const { dark_colours: _, design: __, ...common } = banner;
  const { texts = {}, ...look } = test?.banner ?? banner;
  return {
    banner: { ...common, ...look, texts: banner.texts },
    texts: test == null ? {} : (texts as Texts),
    share: test?.share ?? 50,
    aim: test?.aim ?? 'decisions',
    smallest_difference: test?.smallest_difference ?? 5,
  };
}

export function toTest({ banner, texts, share, aim, smallest_difference }: TestDraft): Test {
  const { layout, position, theme, colours, dark_colours, design } = banner;
  return {
    banner: {
      ...{ layout, position, theme, colours },
      ...(dark_colours && { dark_colours }),
      ...(design && { design }),
      ...(Object.keys(texts).length > 0 && { texts }),
    },
    aim,
    // The server says what is missing.
    ...({ share, smallest_difference } as { share: number; smallest_difference: number }),
  };
}

/** Version B as the banner of a site. */
export function toBanner({ banner, texts }: Pick<TestDraft, 'banner' | 'texts'>): Banner {
  const languages = new Set([...Object.keys(banner.texts), ...Object.keys(texts)]);
  return {
    ...banner,
    texts: Object.fromEntries(
      [...languages].map((language) => [language, { ...banner.texts[language], ...texts[language] }]),
    ),
  };
}
