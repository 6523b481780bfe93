import { classifyHost } from '../cookies/classification';
import { belongsTo } from '../cookies/party';
import type { AutoBlockingSettings, Category } from '../types';
import { isHeldHost } from './hosts';

/** Of all own rules: they stand in each page. */
const MOST = 4_000;

interface Fault {
  path: string;
  message: string;
}

/** The host of a place. */
export const hostOf = (place: string): string => place.split('/', 1)[0] as string;

/** Whether a place is a whole host. */
export const isHost = (place: string): boolean => !place.includes('/');

/**
 * What a schema cannot say of auto-blocking's settings: paths in the settings, and what to do. `domains` are the site's, as
 * far as they are known.
 */
export function autoBlockingFaults(
  { rules, unclassified }: AutoBlockingSettings,
  categories: readonly Category[],
  domains: readonly string[],
): Fault[] {
  const optional = categories.filter(({ required }) => !required).map(({ key }) => key);
  const isOwn = belongsTo(domains);
  const faults: Fault[] = [];
  const wrong = (path: string, message: string): void => {
    faults.push({ path: `auto_blocking.${path}`, message });
  };
  const refusable = (path: string, key: string | null, otherwise: string): void => {
    if (key !== null && !optional.includes(key))
      wrong(
        path,
        `${key} is no category that visitors can refuse: give ${optional.length > 0 ? `one of ${optional.join(', ')}, or ` : ''}${otherwise}`,
      );
  };
  const seen = new Set<string>();
  rules.forEach(({ place, category }, index) => {
    const at = `rules.${index}`;
    const host = hostOf(place);
    refusable(`${at}.category`, category, 'null for what never waits');
    if (seen.has(place)) wrong(`${at}.place`, `the place ${place} is listed twice: give each place once`);
    seen.add(place);
    if (isName(host.slice(0, -1)) && host.endsWith('.'))
      wrong(`${at}.place`, `${host} has a dot at its end: write ${host.slice(0, -1)}`);
    else if (!isName(host))
      wrong(`${at}.place`, `${host} is no host name: give one such as tracker.example, with its ending`);
    else if (!isHeldHost(host))
      wrong(
        `${at}.place`,
        `${host} belongs to nobody alone, as endings do that many share: give a whole host such as tracker.example`,
      );
    else if (category !== null && isOwn(host))
      wrong(
        `${at}.place`,
        `${host} is the site's own, and what is loaded from there never waits: mark it up with data-category`,
      );
    else if (category !== null && classifyHost(host).category === 'necessary')
      wrong(
        `${at}.place`,
        `${host} is known to be strictly necessary, and never waits: take the rule out, or mark it up with data-category`,
      );
  });
  refusable('unclassified', unclassified, 'null to let them pass');
  const length = rules.reduce((sum, { place }) => sum + place.length, 0);
  if (length > MOST)
    wrong('rules', `have ${length} characters of places, and may have ${MOST}: write shorter beginnings`);
  return faults;
}

/** Two labels or more, none of them empty or too long. */
const isName = (host: string): boolean => {
  const labels = host.split('.');
  return (
    host.length <= 253 &&
    labels.length > 1 &&
    labels.every(
      (label) => label.length > 0 && label.length <= 63 && !label.startsWith('-') && !label.endsWith('-'),
    )
  );
};
