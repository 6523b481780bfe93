import { EVIDENCE } from './lines.js';
import { type Report, type Step, short } from './report.js';
import { type Statement, subjectOf } from './statement.js';

/** What the record of a bundle says of one of its files. */
interface Sealed {
  /** Of a script its integrity and bytes, of another file its SHA-256. */
  said: string;
  where: string;
}

/** What names something: of several the first leaf, those that were imported apart. */
interface Namer {
  name: string;
  since: number;
  where: string;
  /** Whether a visitor's page sent it, and so it may be of nothing. */
  isClaim: boolean;
  isImported: boolean;
}

/** What is known of a settings version, a vendor list, a bundle, a request or a breach. */
interface Known {
  /** Its leaf, of steps the last one. */
  leaf: number;
  /** Of a request or breach: the latest time that a step of it says. */
  time: number;
  /** Whether its record says that it was imported. */
  isImported: boolean;
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
  /** When records were imported, as the first line says. */
  importedOn: unknown;
  readonly #known = new Map<string, Known>();
  readonly #namers = new Map<string, Namer>();
  /** The last leaf of the import, its own record included, and the first one of such a record: a second one is beyond. */
  #last = 0;
  #end = Infinity;

  /** @param leaf where the log is proven to hold it: what waits for that says nothing of files */
  note(report: Report, { kind, record, imported_on }: Statement, where: string, leaf = Infinity): void {
    const { hash, version, at } = record;
    const isImported = imported_on !== undefined;
    const isEnd = kind === 'import';
    const on = isEnd ? record.imported_on : imported_on;
    const bad = (what: string): void => report.add('context', false, what, where);
    if (leaf < Infinity && on !== undefined) {
      if (on !== this.importedOn) bad('the first line says another day of the import');
      if (isEnd && leaf < this.#end) this.#end = leaf;
      this.#last = Math.max(this.#last, leaf);
    }
    const name = (what: string, value: unknown, isClaim = false): void => {
      // Version 0 is none: a site had no vendors yet.
      if (!value) return;
      const name = shortOf(`${what} ${value}`);
      const namer = this.#keep(this.#namers, name + isImported);
      if (!(namer.since <= leaf)) Object.assign(namer, { name, since: leaf, where, isClaim, isImported });
    };
    if (kind === 'consent') {
      name('settings', record.banner_version);
      name('bundle', record.bundle_hash, true);
    } else if (kind === 'bundle') {
      for (const end of leaf < Infinity ? ENDS : []) {
        const said = end === 'js' ? `${record.integrity} ${record.bytes}` : Object(record.files)[end];
        if (!said) continue;
        const sealed = this.#keep(this.sealed, shortOf(`bundles/${hash}.${end}`));
        if (!sealed.said) Object.assign(sealed, { said: shortOf(said), where });
      }
      name('settings', record.settings_version);
      name('vendors', record.vendor_list_version);
    }
    const isStep = kind === 'dsar' || kind === 'breach';
    const id = isStep ? subjectOf(kind, record) : kind === 'bundle' ? hash : version;
    if (isStep ? leaf === Infinity : !id) return;
    const known = this.#keep(this.#known, shortOf(`${kind} ${id}`));
    const { leaf: other = isStep ? 0 : Infinity, time: last = 0 } = known;
    const time = Date.parse(at as string);
    const isGood = isStep
      ? other <= leaf &&
        last <= time + CLOCKS_OFF &&
        new Date(time).toJSON() === at &&
        /^[\da-f-]{36}$/.test(id as string)
      : // Each is sealed once: a second one could be a forgery.
        other + leaf === Infinity;
    if (!isGood) bad('it is not in its order, or in the log twice');
    known.leaf = isStep ? leaf : Math.min(other, leaf);
    known.time = Math.max(last, time);
    known.isImported = isImported;
  }

  /** What is kept by a name: of what there is no room for, nothing. */
  #keep<Value>(kept: Map<string, Value>, key: string): Value {
    const value = kept.get(key) ?? ({} as Value);
    if (kept.size < ROOM) kept.set(key, value);
    return value;
  }

  /** Reports whether everything that the records name is there. */
  judge(report: Report): void {
    const isFull = Math.max(this.#known.size, this.#namers.size) === ROOM;
    if (isFull) report.add('context', 'unknown', 'records name too much', EVIDENCE);
    if (this.#last > this.#end)
      report.add('context', false, `leaf ${this.#last} of the import is sealed after its end`, EVIDENCE);
    for (const { name, where, isClaim, since, isImported } of this.#namers.values()) {
      const known = this.#known.get(name);
      if (known === undefined && isFull) continue;
      const [ok, what]: [Step['ok'], string] =
        known === undefined
          ? [isClaim && 'unproven', 'missing']
          : // Only an import seals what is named after what names it.
            known.leaf > since && !(isImported && known.isImported)
            ? [isClaim ? 'unproven' : 'unknown', 'sealed after it']
            : [true, 'in the file'];
      report.add('context', ok, `${name}, which a ${isClaim ? 'page' : 'record'} names, is ${what}`, where);
    }
  }
}

const shortOf = (value: unknown): string => short(String(value), LONGEST);
