import type { components } from '../../../spec/generated/api';
import { post } from '../http/raw';
import type { Client, TestServer } from '../server';

type Settings = components['schemas']['Settings'];
type Test = components['schemas']['BannerTestSettings'];

/** Another version of a banner: what is not given is as in version A. */
export const testOf = (
  { banner }: Pick<Settings, 'banner'>,
  look: Partial<Test['banner']> = { layout: 'bar', position: 'bottom' },
  plan: Partial<Omit<Test, 'banner'>> = {},
): Test => {
  const { layout, position, theme, colours } = banner;
  return {
    ...{ share: 50, aim: 'decisions', smallest_difference: 30 },
    ...plan,
    banner: { layout, position, theme, colours, ...look },
  };
};

export const PERSON =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36';
export const BOT = 'Mozilla/5.0 (compatible; ExampleBot/1.0; +https://example.com/bot)';

/** A site whose test is published. */
export async function openTest(
  server: TestServer,
  look?: Partial<Test['banner']>,
  plan?: Partial<Omit<Test, 'banner'>>,
) {
  const site = await server.site({});
  const { client, token } = site;
  const { settings } = await client.getEnvironment({ token });
  const banner_test = testOf(settings, look, plan);
  await client.updateEnvironment({ token, body: { settings: { banner_test } } });
  return { ...site, settings, banner_test, ...(await publishTest(client, token)) };
}

/** Publishes, and tells the hashes of both versions. */
export async function publishTest(client: Client, token: string): Promise<{ a: string; b: string }> {
  const { hash: a } = await client.generateBundle({ token });
  const { config } = await client.getBundleRecord({ token, hash: a });
  return { a, b: config.test?.b?.hash as string };
}

let ids = 0;
/** UUIDs that say nothing. */
const uuid = (): string => `00000000-0000-4000-8000-${(++ids).toString(16).padStart(12, '0')}`;

/** A page view in which a version was shown, and perhaps what the visitor decided, as the banner reports them. */
export async function view(
  server: TestServer,
  token: string,
  bundle_hash: string,
  decision?: 'accept_all' | 'reject_all' | 'save_preferences',
  { agent = PERSON, ...more }: { agent?: string; ends_impression?: boolean } = {},
): Promise<string | undefined> {
  const headers = { 'User-Agent': agent };
  await post(
    server.url,
    `/api/impressions/${token}`,
    { event_id: uuid(), bundle_hash, in_test: true },
    headers,
  );
  if (decision === undefined) return undefined;
  const body = {
    ...{ event_id: uuid(), session_id: uuid(), decision, bundle_hash, ends_impression: true },
    ...(decision === 'save_preferences' && { allowed: ['analytics'] }),
    ...more,
  };
  const { text } = await post(server.url, `/api/v/${token}/ce`, body, headers);
  return JSON.parse(text).data.consent_id;
}
