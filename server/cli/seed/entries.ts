import { v7 } from 'uuid';
import { deviceClass } from '../../src/domain/analytics';
import type { Decision, StatedMethod } from '../../src/domain/types';
import { countedLanguage, toEntry } from '../../src/ingest/decision';
import type { Count, Entry } from '../../src/ingest/entries';
import type { Site } from '../../src/ingest/site';
import { choose, type Person } from './people';

const PATHS = ['', 'books', 'books/new', 'authors', 'basket', 'account', 'shipping', 'blog/autumn-reading'];

/** A decision as the service would have stored it at that instant. */
export function decisionEntry(
  site: Site,
  person: Person,
  decision: Decision,
  method: StatedMethod,
  at: number,
): Entry {
  const path = PATHS[Math.floor(Math.random() * PATHS.length)];
  const bundle = bundleOf(site);
  const stated = {
    session_id: person.session_id,
    decision,
    ...(decision === 'save_preferences' ? { categories: choose(person, site) } : {}),
    language: person.language,
    page_url: `https://${[...site.domains][0]}/${path}`,
    method,
    ...bundle,
  };
  const entry = toEntry(site, person.client, stated, {
    shown: site.shown,
    isNamed: bundle.bundle_hash !== undefined,
  });
  return backdate(entry, at);
}

/** The script that showed the banner of these settings, where one was generated. */
function bundleOf({ bundleVersions, settingsVersion }: Site): { bundle_hash?: string } {
  const [bundle_hash] = [...bundleVersions].find(([, version]) => version === settingsVersion) ?? [];
  return bundle_hash === undefined ? {} : { bundle_hash };
}

function backdate(entry: ReturnType<typeof toEntry>, at: number): Entry {
  const { decision, counts } = entry;
  const lifetime = Date.parse(decision.expires_at) - Date.parse(decision.recorded_at);
  return {
    ...entry,
    decision: {
      ...decision,
      // The time is in the id too.
      consent_id: v7({ msecs: at }),
      recorded_at: new Date(at).toISOString(),
      expires_at: new Date(at + lifetime).toISOString(),
    },
    counts: counts.map((count) => ({ ...count, at })),
  };
}

/** A banner that was shown, or something that was done with it: counted, never stored by itself. */
export function countEntry(
  site: Site,
  { language, client }: Person,
  metric: 'impression' | 'interaction',
  key: string,
  at: number,
): Entry {
  const count: Count = {
    at,
    metric,
    key,
    language: countedLanguage(site, language),
    banner_version: site.settingsVersion,
    device: deviceClass(client.userAgent ?? undefined),
  };
  return { site, counts: [count] };
}
