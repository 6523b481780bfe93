import type {
  Entry,
  Load,
  Purpose,
  Report,
  Signal,
  State,
  Verdict,
  Waiting,
} from '../../../../../sdk/banner/src/debug/report';

/** Characters of a report that is looked at. */
export const MOST_TEXT = 5_000_000;
/** Of each list, and of named choices. */
const MOST = 5_000;
const MOST_NAMES = 300;

type Data = Record<string, unknown>;

/** A report that somebody pastes, of which nothing is trusted. Throws with words for people. */
export function readReport(text: string): Report {
  if (text.length > MOST_TEXT) throw new Error('It is longer than any report.');
  const data = parse(text);
  if (data.kind !== 'avow-diagnostics')
    throw new Error('It is no report of the diagnostics view: copy it there once more, all of it.');
  if (data.version !== 1) throw new Error('It is of another version of Avow.');
  const banner = object(data.banner);
  const now = object(data.now);
  const states = list(data.states, stateOf);
  return {
    kind: 'avow-diagnostics',
    version: 1,
    made_at: string(data.made_at, 40) ?? '',
    page: string(data.page) ?? '',
    banner: {
      state: oneOf(banner.state, ['running', 'waiting', 'missing'], 'missing'),
      site: string(banner.site, 60),
      bundle: string(banner.bundle, 60),
      settings_version: number(banner.settings_version),
      policy_version: string(banner.policy_version, 100),
      auto_blocking: typeof banner.auto_blocking === 'boolean' ? banner.auto_blocking : null,
      problem: string(banner.problem, 300),
    },
    now: {
      gpc: now.gpc === true,
      region: string(now.region, 10),
      rule: string(now.rule, 20),
      kept: (['local_storage', 'cookie'] as const).filter((place) =>
        list(now.kept, (one) => one).includes(place),
      ),
    },
    states: states.length > 0 ? states : [stateOf({})],
    loads: list(data.loads, loadOf),
    held: list(data.held, waitingOf),
    layer: list(data.layer, entryOf),
    signals: list(data.signals, signalOf),
    cut: list(data.cut, (one) => string(one, 300) ?? '').slice(0, 20),
  };
}

function parse(text: string): Data {
  try {
    return object(JSON.parse(text));
  } catch {
    throw new Error('It cannot be read: copy the report once more, all of it.');
  }
}

const object = (value: unknown): Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Data) : {};

const string = (value: unknown, most = 500): string | null =>
  typeof value === 'string' && value !== '' ? value.slice(0, most) : null;

const number = (value: unknown): number | null => (typeof value === 'number' ? value : null);

const list = <One>(value: unknown, read: (one: unknown) => One): One[] =>
  Array.isArray(value) ? value.slice(0, MOST).map(read) : [];

const oneOf = <One extends string>(value: unknown, known: readonly One[], otherwise: One): One =>
  known.find((one) => one === value) ?? otherwise;

const named = <Value>(value: unknown, read: (one: unknown) => Value | null): Record<string, Value> =>
  Object.fromEntries(
    Object.entries(object(value))
      .slice(0, MOST_NAMES)
      .flatMap(([name, one]) => {
        const is = read(one);
        return is === null ? [] : [[name.slice(0, 60), is]];
      }),
  );

const flag = (value: unknown): boolean | null => (typeof value === 'boolean' ? value : null);

function stateOf(value: unknown): State {
  const { ms, since, earlier, decision, method, rule, categories, vendors } = object(value);
  return {
    ms: number(ms) ?? 0,
    ...(typeof since === 'number' && { since }),
    earlier: earlier === true,
    decision: string(decision, 40),
    method: string(method, 40),
    rule: string(rule, 40),
    categories: typeof categories === 'object' && categories !== null ? named(categories, flag) : null,
    ...(vendors !== undefined && { vendors: named(vendors, flag) }),
  };
}

function purposeOf(value: unknown): Purpose {
  const { categories, vendor, name, by } = object(value);
  return {
    categories: list(categories, (one) => string(one, 60) ?? '').slice(0, 20),
    ...(typeof vendor === 'number' && { vendor }),
    ...(typeof name === 'string' && { name: name.slice(0, 100) }),
    by: oneOf(by, ['markup', 'rule', 'known', 'nobody'], 'nobody'),
  };
}

const VERDICTS: readonly Verdict[] = [
  ...(['allowed', 'before', 'refused', 'free', 'passed', 'unknown', 'unclear'] as const),
];

function loadOf(value: unknown): Load {
  const { ms, verdict } = object(value);
  return { ...waitingOf(value), ms: number(ms) ?? 0, verdict: oneOf(verdict, VERDICTS, 'unclear') };
}

function waitingOf(value: unknown): Waiting {
  const { kind, url } = object(value);
  return { kind: string(kind, 40) ?? '', url: string(url) ?? '', ...purposeOf(value) };
}

function entryOf(value: unknown): Entry {
  const { n, what, more } = object(value);
  return {
    n: number(n) ?? 0,
    what: string(what, 100) ?? '',
    more: named(more, (one) => string(one, 300)),
  };
}

/** A string of GPP has its length in a record. */
const LONGEST = 12_300;

function signalOf(value: unknown): Signal {
  const { to, what } = object(value);
  return { to: string(to, 60) ?? '', what: string(what, LONGEST) ?? '' };
}
