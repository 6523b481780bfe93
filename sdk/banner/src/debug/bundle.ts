import { doc } from '../document.js';
import { read } from '../hold/guard.js';
import type { Rule } from '../hold/rules.js';
import { MOST } from './tidy.js';

/** The parts of a bundle's settings that are read here. */
export interface Settings {
  token: string;
  server: string;
  settings_version: number;
  policy_version: string;
  categories: { key: string; required: boolean; google_consent?: string[] }[];
  regions?: object;
  asked_vendors?: object[];
  cookie?: { name?: string };
  auto_blocking?: { rules: Rule[] };
  test?: object;
}

export interface Bundle {
  hash: string;
  settings: Settings;
}

const ADDRESS = /\/api\/bundles\/(env_[\w-]{10,40})(?:\/[\w-]+)?\.js$/;
const LARGEST = 4_000_000;

/** The address and the site of the banner's script: by the page's elements, else by what was loaded. */
export function findScript(): { url: string; site: string } | undefined {
  const elements = [...doc.querySelectorAll('script[src*="/api/bundles/"]')].slice(0, MOST);
  const loaded = performance.getEntriesByType('resource').slice(0, MOST);
  for (const source of [...elements.map((one) => read(one, 'src')), ...loaded.map(({ name }) => name)])
    try {
      const url = new URL(source ?? '', doc.baseURI);
      const site = ADDRESS.exec(url.pathname)?.[1];
      if (site !== undefined) return { url: url.href, site };
    } catch {
      // No address at all.
    }
  return;
}

/** Reads the settings at the end of the script, as the browser has it. Throws where it cannot. */
export async function readBundle(url: string): Promise<Bundle> {
  const answer = await fetch(url, { credentials: 'omit', cache: 'force-cache' });
  if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
  const script = await answer.text();
  const hash = /^\/\*! Avow ([\w-]{24}) \*\/\n/.exec(script)?.[1];
  const end = script.lastIndexOf(`,"${hash}");`);
  if (hash === undefined || end < 0 || script.length > LARGEST) throw new Error('it is no script of Avow');
  // A text that ends so may stand in the settings, too.
  for (
    let tries = 0, begin = script.lastIndexOf(')({"', end);
    begin >= 0 && tries < 20;
    tries += 1, begin = script.lastIndexOf(')({"', begin - 1)
  )
    try {
      return { hash, settings: JSON.parse(script.slice(begin + 2, end)) as Settings };
    } catch {
      // Further ahead.
    }
  throw new Error('its settings cannot be read');
}
