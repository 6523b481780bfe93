import { HOUR_MS } from '../../src/domain/time';
import type { Entry } from '../../src/ingest/entries';
import type { Site } from '../../src/ingest/site';
import { countEntry, decisionEntry } from './entries';
import { decide, happens, newPerson, type Person } from './people';
import { rhythm } from './rhythm';

/** The settings of a site from an instant on, in milliseconds since 1970. */
export interface Version {
  from: number;
  site: Site;
}

/** A visit ends within so many milliseconds, so that none reaches into the future. */
const VISIT = 120_000;
/** People of whom some come back, at most. */
const REMEMBERED = 20_000;

/** What visitors did, event by event, exactly `events` of them, oldest hour first. */
export function* history(versions: Version[], events: number, days: number, now: number): Generator<Entry> {
  const known: Person[] = [];
  let left = events;
  let quota = 0;
  for (const slot of rhythm(events, days, now)) {
    const { site } = versions.findLast(({ from }) => from <= slot.from) ?? (versions[0] as Version);
    const arrived: Person[] = [];
    for (quota += slot.events; quota > 0 && left > 0; ) {
      const at = slot.from + Math.floor(Math.random() * (HOUR_MS - VISIT));
      const visit =
        known.length > 50 && happens(0.03) ? changeOfMind(site, known, at) : firstVisit(site, arrived, at);
      const taken = visit.slice(0, left);
      yield* taken;
      left -= taken.length;
      quota -= visit.length;
    }
    // Nobody returns within the hour of their first visit.
    for (const person of arrived)
      known[known.length < REMEMBERED ? known.length : random(REMEMBERED)] = person;
  }
}

const random = (below: number): number => Math.floor(Math.random() * below);

/** The banner is shown; some look around in it, and many but not all answer. */
function firstVisit(site: Site, arrived: Person[], at: number): Entry[] {
  const person = newPerson(site);
  const visit = [countEntry(site, person, 'impression', '', at)];
  if (happens(0.06)) visit.push(countEntry(site, person, 'interaction', 'policy_opened', at + 4_000));
  // Bots never answer, and some people neither.
  if (happens(person.client.userAgent?.includes('Bot') ? 1 : 0.28)) {
    if (happens(0.3)) visit.push(countEntry(site, person, 'interaction', 'banner_closed', at + 6_000));
    return visit;
  }
  person.decision = decide(person, site);
  if (person.decision === 'save_preferences') {
    visit.push(countEntry(site, person, 'interaction', 'settings_opened', at + 7_000));
    for (const { key, required } of site.categories) {
      if (!required && happens(0.5))
        visit.push(countEntry(site, person, 'interaction', `category_toggled:${key}`, at + 11_000));
    }
  }
  const method = person.client.gpc && person.decision === 'reject_all' ? 'gpc' : 'banner';
  visit.push(decisionEntry(site, person, person.decision, method, at + 5_000 + random(60_000)));
  arrived.push(person);
  return visit;
}

/** Somebody comes back to the settings: most who had agreed withdraw, some who had refused agree. */
function changeOfMind(site: Site, known: Person[], at: number): Entry[] {
  const person = known[random(known.length)] as Person;
  const agreed = person.decision !== 'reject_all';
  person.decision = agreed ? (happens(0.7) ? 'reject_all' : 'save_preferences') : 'accept_all';
  return [
    countEntry(site, person, 'interaction', 'settings_opened', at),
    decisionEntry(site, person, person.decision, 'settings', at + 9_000),
  ];
}
