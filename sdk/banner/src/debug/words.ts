import type { Entry, Load, Purpose, Report, State, Verdict } from './report.js';

const VERDICTS: Record<Verdict, string> = {
  allowed: 'Allowed',
  before: 'Loaded before consent',
  refused: 'Loaded although refused',
  free: 'Needs no consent',
  passed: 'Let pass by the site’s rules',
  unknown: 'Nobody has said what it is for',
  unclear: 'Cannot be told',
};

const isBad = ({ verdict }: Load): boolean => verdict === 'before' || verdict === 'refused';

const BY: Record<Purpose['by'], string> = {
  markup: 'the page’s mark-up',
  rule: 'auto-blocking',
  known: 'the list of known hosts',
  nobody: '',
};

export const purposeIn = ({ categories, vendor, name, by }: Purpose): string =>
  [categories.join(', ') || '–', vendor !== undefined && `vendor ${vendor}`, name, BY[by] && `(by ${BY[by]})`]
    .filter(Boolean)
    .join(' ');

const on = (choices: Record<string, boolean>): string =>
  Object.keys(choices)
    .filter((key) => choices[key])
    .join(', ') || 'nothing';

const allowedIn = ({ categories, vendors }: State): string =>
  categories === null ? 'not known' : on(categories) + (vendors ? `; vendors: ${on(vendors)}` : '');

const stateIn = ({ decision, method, rule, earlier, categories }: State): string =>
  decision === null && categories === null
    ? 'Not known'
    : decision === null
      ? `Nothing decided${rule ? `, rule ${rule}` : ''}`
      : `${decision}, method ${method}${rule ? `, rule ${rule}` : ''}${earlier ? ', before this page' : ''}`;

const BANNER: Record<Report['banner']['state'], string> = {
  running: 'Running',
  waiting: 'The snippet is there, the script has not run',
  missing: 'Not on this page',
};

const KEPT = { local_storage: 'this browser’s storage', cookie: 'the site’s cookie' };

/** The present state, as names and values. */
export function factsOf({ banner, now, states, page }: Report): [string, string][] {
  const last = states.at(-1) as State;
  return [
    ['Page', page],
    ['Banner', BANNER[banner.state]],
    ['Site', banner.site ?? '–'],
    ['Bundle', banner.bundle ?? (banner.problem ? `Not read: ${banner.problem}` : 'Being read')],
    ['Versions', `settings ${banner.settings_version ?? '–'}, policy ${banner.policy_version ?? '–'}`],
    ['Decision', stateIn(last)],
    ['Allowed now', allowedIn(last)],
    ['Kept in', now.kept.map((place) => KEPT[place]).join(' and ') || 'nothing'],
    ['Region rule', now.rule ? `${now.rule}, region ${now.region ?? 'not known'}` : 'none told'],
    ['Global Privacy Control', now.gpc ? 'on' : 'off'],
    ['Auto-blocking', banner.auto_blocking === null ? '–' : banner.auto_blocking ? 'on' : 'off'],
  ];
}

/** Whether a tag of Google was given something to do ahead of the first default. */
function isLate(entries: readonly Entry[]): boolean {
  const first = entries.findIndex(({ what }) => what === 'consent default');
  return entries.slice(0, Math.max(first, 0)).some(({ what }) => /^(js|config|consent update)/.test(what));
}

/** Whether it can be said that all is well: there is something to judge, and something to judge by. */
export const isTelling = ({ banner, loads }: Report): boolean =>
  banner.state === 'running' && banner.bundle !== null && loads.length > 0;

/** What somebody should look at. */
export function notesOf({ loads, layer, cut }: Report): string[] {
  const many = (verdict: Verdict): number => loads.filter((one) => one.verdict === verdict).length;
  const notes: [number | boolean, string][] = [
    [many('before'), `${many('before')} loaded before consent`],
    [many('refused'), `${many('refused')} loaded although refused`],
    [many('unknown'), `${many('unknown')} from hosts of which nobody has said what they are for`],
    [many('unclear'), `${many('unclear')} of which it cannot be told whether they were allowed`],
    [isLate(layer), 'A tag of Google was told something before the default of Consent Mode'],
  ];
  return [...notes.flatMap(([is, note]) => (is ? [note] : [])), ...cut];
}

export const saysOf = ({ more }: Entry): string =>
  Object.entries(more)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ') || '–';

/** A row of the time line. */
export interface Moment {
  ms: number;
  what: string;
  /** An address, or a decision. */
  about: string;
  /** What it is for, or what is allowed from then on. */
  purpose: string;
  verdict: string;
  mark?: 'state' | 'bad';
}

/**
 * States and what was loaded under them, in order of time; where there is no room for all, what must be looked at comes
 * before what is only shown.
 */
export function timeLineOf({ states, loads }: Report, most: number): Moment[] {
  const all: Moment[] = [
    ...states.map((state) => ({
      ...{ ms: state.ms, what: 'state', about: stateIn(state), purpose: allowedIn(state) },
      ...{ verdict: '', mark: 'state' as const },
    })),
    ...loads.map((one) => ({
      ...{
        ms: one.ms,
        what: one.kind,
        about: one.url,
        purpose: purposeIn(one),
        verdict: VERDICTS[one.verdict],
      },
      ...(isBad(one) && { mark: 'bad' as const }),
    })),
  ];
  const rank = ({ mark }: Moment): number => (mark === undefined ? 1 : 0);
  const kept = new Set([...all].sort((one, other) => rank(one) - rank(other)).slice(0, most));
  return all.filter((one) => kept.has(one)).sort((one, other) => one.ms - other.ms);
}
