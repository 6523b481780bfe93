import { EVIDENCE } from './lines.js';
import { copyOf, type Report, type Step } from './report.js';
import { type Statement, subjectOf } from './statement.js';

/** What the record of a bundle says of one of its files. */
interface Sealed {
  /** Of a script its integrity and bytes, of another file its SHA-256. */
  said: string;
  where: string;
}

/** What is known of a settings version, a vendor list, a bundle, a request or a breach. */
interface Known {
  /** Its leaf, of steps the last one; undefined while no record of it was read. */
  leaf?: number;
  /** Of a request or breach: the latest time that a step of it says. */
  time: number;
  /** The first leaf that names it; undefined while none does. */
  since?: number;
  /** The line of that. */
  where: string;
  /** Whether a visitor's page sent it, and so it may be of nothing. */
  isClaim: boolean;
}

/** Names that are kept: a pack of a server has few, but visitors' pages can send any number. */
const ROOM = 400_000;
/** What the files of a bundle end with. */
const ENDS = ['js', 'texts.json', 'vendors.json', 'settings.json'];
/** Characters of a name. */
const LONGEST = 100;
/** How far apart the clocks of servers may be, in milliseconds. */
const CLOCKS_OFF = 300_000;
/** What records of a file name, which of these are in it, and whether they are in order in the log. */
export class Context {
  /** By path. */
  readonly sealed = new Map<string, Sealed>();
  readonly #known = new Map<string, Known>();

  /** @param leaf where the log is proven to hold it: what waits for that says nothing of files */
  note(report: Report, { kind, record, imported_on }: Statement, where: string, leaf = Infinity): void {
    const { hash, version, at } = record;
    const name = (what: string, value: unknown, isClaim = false): void => {
      // Version 0 is none: a site had no vendors yet.
      if (!value) return;
      const known = this.#keep(this.#known, `${what} ${value}`);
      // Of an imported record the log says nothing of the time before.
      const since = imported_on === undefined ? leaf : Infinity;
      if (!((known.since as number) <= since)) Object.assign(known, { since, where, isClaim });
    };
    if (kind === 'consent') {
      name('settings', record.banner_version);
      name('bundle', record.bundle_hash, true);
    } else if (kind === 'bundle') {
      for (const end of leaf < Infinity ? ENDS : []) {
        const said = end === 'js' ? `${record.integrity} ${record.bytes}` : Object(record.files)[end];
        if (!said) continue;
        const sealed = this.#keep(this.sealed, `bundles/${hash}.${end}`);
        if (!sealed.said) Object.assign(sealed, { said: shortOf(said), where });
      }
      name('settings', record.settings_version);
      name('vendors', record.vendor_list_version);
    }
    const isStep = kind === 'dsar' || kind === 'breach';
    const id = isStep ? subjectOf(kind, record) : kind === 'bundle' ? hash : version;
    if (isStep ? leaf === Infinity : !id) return;
    const known = this.#keep(this.#known, `${kind} ${id}`);
    const { leaf: other = isStep ? 0 : Infinity, time: last = 0 } = known;
    const time = Date.parse(at as string);
    const isGood = isStep
      ? other <= leaf &&
        last <= time + CLOCKS_OFF &&
        new Date(time).toJSON() === at &&
        /^[\da-f-]{36}$/.test(id as string)
      : // Each is sealed once: a second one could be a forgery.
        other + leaf === Infinity;
    if (!isGood) report.add('context', false, 'it is not in its order, or in the log twice', where);
    known.leaf = isStep ? leaf : Math.min(other, leaf);
    known.time = Math.max(last, time);
  }

  /** What is kept by a name: of what there is no room for, nothing. */
  #keep<Value>(kept: Map<string, Value>, name: string): Value {
    const key = shortOf(name);
    const value = kept.get(key) ?? ({} as Value);
    if (kept.size < ROOM) kept.set(key, value);
    return value;
  }

  /** Reports whether everything that the records name is there. */
  judge(report: Report): void {
    const isFull = this.#known.size === ROOM;
    if (isFull) report.add('context', 'unknown', 'records name too much', EVIDENCE);
    for (const [name, { where, isClaim, since, leaf }] of this.#known) {
      if (since === undefined || (leaf === undefined && isFull)) continue;
      const [ok, what]: [Step['ok'], string] =
        leaf === undefined
          ? [isClaim && 'unproven', 'missing']
          : leaf > since
            ? [isClaim ? 'unproven' : 'unknown', 'sealed after it']
            : [true, 'in the file'];
      report.add('context', ok, `${name}, which a ${isClaim ? 'page' : 'record'} names, is ${what}`, where);
    }
  }
}

const shortOf = (value: unknown): string => copyOf(String(value).slice(0, LONGEST));
