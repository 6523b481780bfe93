import { own } from '../own.js';
import type { Entry } from './report.js';
import { joined, MOST, member, members, text } from './tidy.js';

/** An event of the banner, by the data layer or heard. */
export interface Heard {
  name: string;
  detail: unknown;
  /** Milliseconds since the page began, where it was heard. */
  ms?: number;
}

export interface Layer {
  entries: Entry[];
  heard: Heard[];
  isCut: boolean;
}

/** What the data layer has of consent, in order: commands of Google's tags, and the banner's events. */
export function readLayer(): Layer {
  const all = own<unknown>(window, 'dataLayer');
  const found: Layer = { entries: [], heard: [], isCut: false };
  if (!Array.isArray(all)) return found;
  found.isCut = all.length > MOST;
  for (let at = 0; at < Math.min(all.length, MOST); at += 1) {
    const item = member(all, at);
    const entry = entryOf(item);
    if (entry) found.entries.push({ n: at + 1, ...entry });
    const event = text(member(item, 'event'), 60);
    if (event?.startsWith('avow:')) found.heard.push({ name: event.slice(5), detail: member(item, 'avow') });
  }
  return found;
}

function entryOf(item: unknown): Omit<Entry, 'n'> | undefined {
  const command = text(member(item, 0), 20);
  if (command === 'consent')
    return { what: `consent ${text(member(item, 1), 20) ?? ''}`, more: wordsOf(member(item, 2)) };
  // The first of these is late where consent comes after it.
  if (command === 'js') return { what: 'js', more: {} };
  if (command === 'config') return { what: `config ${text(member(item, 1), 60) ?? ''}`, more: {} };
  const event = text(member(item, 'event'), 60);
  if (event === null || !/^(avow:|gtm\.(js|init|dom|load)$)/.test(event)) return;
  const detail = member(item, 'avow');
  return { what: event, more: event === 'avow:change' ? changes(detail) : {} };
}

/** `granted`, `denied`, numbers and regions: nothing else is said by consent. */
const wordsOf = (states: unknown): Record<string, string> =>
  Object.fromEntries(
    members(states).flatMap(([name, value]) =>
      /^[a-z_]{1,40}$/.test(name) && /^(string|number|boolean)$/.test(typeof value)
        ? [[name, String(value).slice(0, 40)]]
        : name === 'region' && Array.isArray(value)
          ? [[name, joined(value, 60)]]
          : [],
    ),
  );

const changes = (detail: unknown): Record<string, string> =>
  Object.fromEntries(
    ['granted', 'withdrawn'].flatMap((name) => {
      const keys = joined(member(detail, name), 50);
      return keys === '' ? [] : [[name, keys]];
    }),
  );
