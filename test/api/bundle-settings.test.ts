import { pathsOf, refusal } from '../helpers/http/refusal';
import { useServer } from '../helpers/server';

const server = useServer();

/** The places that a change of a new site's settings is refused for. */
async function refused(change: object): Promise<string[]> {
  const { client, token } = await server.site();
  const { settings } = await client.getEnvironment({ token });
  const banner = { ...settings.banner, ...('banner' in change ? (change.banner as object) : {}) };
  const body = { settings: { ...change, ...('banner' in change ? { banner } : {}) } };
  const paths = pathsOf(await refusal(client.updateEnvironment({ token, body } as never)));
  expect((await client.getEnvironment({ token })).settings).toEqual(settings);
  return paths;
}

test('texts of a category that the site does not have are refused', async () => {
  const texts = { en: { categories: { analytics: { name: 'Counting' }, maps: { name: 'Maps' } } } };
  expect(await refused({ banner: { texts } })).toEqual(['body.settings.banner.texts.en.categories.maps']);
});

test('a button, a language or a consent type that is listed twice is refused', async () => {
  expect(await refused({ banner: { first_layer_buttons: ['settings', 'settings'] } })).toEqual([
    'body.settings.banner.first_layer_buttons.1',
  ]);
  expect(await refused({ languages: ['en', 'de', 'en'] })).toEqual(['body.settings.languages.2']);
  const category = { key: 'ads', name: 'Ads', description: '', required: false };
  const google_consent = ['ad_storage', 'ad_user_data', 'ad_storage'];
  expect(await refused({ categories: [{ ...category, google_consent }] })).toEqual([
    'body.settings.categories.0.google_consent.2',
  ]);
});

test('a cookie that no browser would store, or no server would read, is refused', async () => {
  const domains = ['co.uk', 'localhost', '192.0.2.7', 'shop..example', 'github.io'];
  for (const domain of domains)
    expect([domain, await refused({ banner: { cookie: { domain } } })]).toEqual([
      domain,
      ['body.settings.banner.cookie.domain'],
    ]);
  const ofOneHost = { name: '__Host-avow_consent', domain: 'example.com' };
  expect(await refused({ banner: { cookie: ofOneHost } })).toEqual(['body.settings.banner.cookie.domain']);
  for (const name of ['', 'a b', 'a;b', 'a=b', 'ü', 'x'.repeat(65)])
    expect(await refused({ banner: { cookie: { name } } })).toEqual(['body.settings.banner.cookie.name']);
  for (const days of [0, 401])
    expect(await refused({ banner: { cookie: { days } } })).toEqual(['body.settings.banner.cookie.days']);
});

test('bad colours, layouts and consent types are refused', async () => {
  const colours = {
    background: 'white',
    text: '#12345',
    button_background: '#1234567',
    button_text: '#gggggg',
  };
  expect(
    await refused({ banner: { colours, dark_colours: colours, layout: 'popup', control: 'x' } }),
  ).toEqual([
    ...['background', 'button_background', 'button_text', 'text'].map(
      (name) => `body.settings.banner.colours.${name}`,
    ),
    'body.settings.banner.control',
    ...['background', 'button_background', 'button_text', 'text'].map(
      (name) => `body.settings.banner.dark_colours.${name}`,
    ),
    'body.settings.banner.layout',
  ]);
  const category = { key: 'ads', name: 'Ads', description: '', required: false, google_consent: ['cookies'] };
  expect(await refused({ categories: [category] })).toEqual(['body.settings.categories.0.google_consent.0']);
});

test('100 KB of text are refused, wherever they stand', async () => {
  const long = 'x'.repeat(100_000);
  const fields = ['title', 'description', 'accept_all', 'blocked', 'gpc_notice', 'saved', 'receipt'];
  const texts = { en: Object.fromEntries(fields.map((field) => [field, long])) };
  expect(await refused({ banner: { texts } })).toEqual(
    [...fields].sort().map((field) => `body.settings.banner.texts.en.${field}`),
  );
  const named = { en: { categories: { analytics: { name: long, description: long } } } };
  expect(await refused({ banner: { texts: named } })).toEqual([
    'body.settings.banner.texts.en.categories.analytics.description',
    'body.settings.banner.texts.en.categories.analytics.name',
  ]);
});

test('languages of texts and names of categories must have their form', async () => {
  expect(await refused({ banner: { texts: { English: {} } } })).toEqual(['body.settings.banner.texts']);
  const texts = { en: { categories: { 'No Key': { name: 'x' } } } };
  expect(await refused({ banner: { texts } })).toEqual(['body.settings.banner.texts.en.categories']);
});

test('what is good is taken and given back', async () => {
  const { client, token } = await server.site();
  const { settings } = await client.getEnvironment({ token });
  const banner = {
    ...settings.banner,
    control: 'custom' as const,
    google_consent_mode: false,
    dark_colours: settings.banner.colours,
    texts: { en: { reopen: 'Cookies', categories: { analytics: { name: 'Counting' } } } },
  };
  const changed = await client.updateEnvironment({ token, body: { settings: { banner } } });
  expect(changed.settings.banner).toEqual(banner);
});
