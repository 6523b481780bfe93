import type { Client } from '../helpers/server';
import type { Visit } from './recount';

interface Exported {
  recorded_at: string;
  decision: string;
  categories: Record<string, boolean>;
  language: string;
  banner_version: number;
  user_agent: string | null;
}

/** The devices of the user agents that tests and the seed send; said by hand, not by the product's rules. */
const DEVICES: [string, string][] = [
  ['Bot', 'bot'],
  ['iPad', 'tablet'],
  ['SM-T870', 'tablet'],
  ['iPhone', 'mobile'],
  ['Mobile Safari', 'mobile'],
  ['Windows NT', 'desktop'],
  ['Macintosh', 'desktop'],
  ['X11', 'desktop'],
];

export const deviceOf = (agent: string | null): string =>
  DEVICES.find(([part]) => agent?.includes(part))?.[1] ?? 'unknown';

/**
 * The exported consent records of a site as visits; `named` says how reports name a language at an instant.
 */
export async function exportVisits(
  client: Client,
  token: string,
  named: (language: string, at: number) => string,
): Promise<Visit[]> {
  const file = (await client.exportConsents({ token, format: 'ndjson' })) as unknown as Response;
  const lines = (await file.text()).trim().split('\n').filter(Boolean);
  return lines.map((line) => {
    const { recorded_at, decision, categories, language, banner_version, user_agent }: Exported =
      JSON.parse(line);
    const at = Date.parse(recorded_at);
    return {
      at,
      kind: 'decision',
      decision,
      categories,
      language: named(language, at),
      banner_version,
      device: deviceOf(user_agent),
    };
  });
}
