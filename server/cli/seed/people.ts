import { randomUUID } from 'node:crypto';
import { maskAddress } from '../../src/domain/mask';
import type { CategoryChoices, Decision } from '../../src/domain/types';
import type { Client } from '../../src/ingest/decision';
import type { Site } from '../../src/ingest/site';

/** A visitor who may come back. */
export interface Person {
  session_id: string;
  language: string;
  client: Client;
  /** How willing this person is to consent: 0 never, 1 always. */
  openness: number;
  decision?: Decision;
}

const AGENTS: [string, number][] = [
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
    26,
  ],
  [
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36',
    28,
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
    24,
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
    9,
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', 6],
  [
    'Mozilla/5.0 (iPad; CPU OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/604.1',
    5,
  ],
  ['Mozilla/5.0 (compatible; ExampleBot/1.0; +https://example.com/bot)', 2],
];
/** Networks that belong to nobody (RFC 5737, RFC 3849). */
const NETWORKS = ['192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8:85a3::1'];
/** How often a category is allowed, compared to a person's openness. */
const ACCEPTANCE: Record<string, number> = { functional: 1.5, analytics: 0.9, marketing: 0.4 };

export const happens = (chance: number): boolean => Math.random() < chance;

export function pick<Value>(options: readonly (readonly [Value, number])[]): Value {
  let left = Math.random() * options.reduce((sum, [, share]) => sum + share, 0);
  const found = options.find(([, share]) => {
    left -= share;
    return left <= 0;
  });
  return (found ?? (options[0] as readonly [Value, number]))[0];
}

/** Somebody new: mostly with the site's languages, the first of them the most. */
export function newPerson({ languages }: Site): Person {
  const known = [...languages].map((language, index) => [language, 1 / (index + 1)] as const);
  const gpc = happens(0.04);
  const openness = Math.random() * (gpc ? 0.3 : 1);
  const client = {
    ipMasked: maskAddress(pick(NETWORKS.map((network) => [network, 1] as const))),
    userAgent: pick(AGENTS),
    gpc,
    recordedBy: 'visitor' as const,
  };
  const language = happens(0.03) ? 'pl' : pick(known);
  return { session_id: randomUUID(), language, client, openness };
}

/** What a person decides; a banner of a later version makes refusing easier. */
export function decide({ openness, client }: Person, { settingsVersion }: Site): Decision {
  const mobile = /Mobile/.test(client.userAgent ?? '') ? 0.08 : 0;
  const yes = openness + mobile - (settingsVersion > 1 ? 0.06 : 0);
  if (happens(0.18)) return 'save_preferences';
  return yes > 0.42 ? 'accept_all' : 'reject_all';
}

/** The choice of a person who opens the settings: category by category. */
export function choose({ openness }: Person, { categories }: Site): CategoryChoices {
  const optional = categories.filter(({ required }) => !required);
  return Object.fromEntries(optional.map(({ key }) => [key, happens(openness * (ACCEPTANCE[key] ?? 0.7))]));
}
