import type { AvowLayer } from '../../../src/banner.js';
import { allowed, current, isVendorAllowed } from '../consent.js';
import type { Gpp } from '../contract.js';
import { own as ownMember } from '../own.js';
import { safely } from '../page.js';
import { asks, isSettled } from '../region.js';
import { encodeGpp } from './encode.js';
import { become, beFound, type GppApi, type Listener, listenerId, present } from './locator.js';
import { applicable, type Section, sectionsFor, supported, wholly } from './signal.js';

type Callback = Listener['callback'];

const own = config.gpp as Gpp;
const VERSION = '1.1';

/** What the string says now. */
let sections: Section[] = [];
let signal: 'ready' | 'not ready' = 'not ready';
let isVisible = false;
/** Whether the visitor has the settings open, and may change what the string says. */
let isChanging = false;
const listeners = new Map<number, Callback>();

const applies = (): boolean => isSettled && !!applicable()[0];

/** What is allowed now, in sections. */
const sectionsNow = (): Section[] => sectionsFor(wholly(allowed, isVendorAllowed), current?.tc);

const parsed = (): Record<string, Section['segments']> =>
  ({
    __proto__: null,
    ...Object.fromEntries(sections.map(({ name, segments }) => [name, segments])),
  }) as never;

/** `PingReturn` of the CMP API 1.1. */
function ping(): object {
  const none = isSettled ? [-1] : [0];
  return {
    gppVersion: VERSION,
    cmpStatus: 'loaded',
    cmpDisplayStatus: isVisible ? 'visible' : isSettled && !applies() ? 'disabled' : 'hidden',
    signalStatus: signal,
    supportedAPIs: supported.map(({ id, name }) => `${id}:${name}`),
    cmpId: own.cmp_id,
    sectionList: sections.map(({ id }) => id),
    applicableSections: applies() ? applicable() : none,
    gppString: isSettled ? encodeGpp(sections) : '',
    parsedSections: { ...parsed() },
  };
}

const eventOf = (eventName: string, id: unknown, data: unknown): object => ({
  eventName,
  listenerId: id,
  data,
  pingData: ping(),
});

/** Tells all who listen. */
function fire(eventName: string, data: string): void {
  // Who comes or goes while others are told, is not told of this.
  for (const [id, tell] of [...listeners])
    if (listeners.has(id)) safely(() => tell(eventOf(eventName, id, data), true));
}

/** The TCF's own data are in events alone (CMP API 1.1, `getSection`). */
const readable = (name: unknown): Section['segments'] | null =>
  name === 'tcfeuv2' ? null : (parsed()[`${name}`] ?? null);

/** Each answers by the callback, at once. */
const COMMANDS: Record<string, (tell: Callback, parameter: unknown) => void> = {
  // What all objects have is no command.
  __proto__: null as never,
  ping: (tell) => tell(ping(), true),
  addEventListener: (tell) => {
    const id = listenerId();
    listeners.set(id, tell);
    tell(eventOf('listenerRegistered', id, true), true);
  },
  removeEventListener: (tell, id) =>
    tell(eventOf('listenerRemoved', id, listeners.delete(id as number)), true),
  hasSection: (tell, name) => tell(`${name}` in parsed(), true),
  getSection: (tell, name) => tell(readable(name), true),
  getField: (tell, path) => {
    const [name, field = ''] = `${path}`.split('.');
    const segment = readable(name)?.find((one) => Object.keys(one).includes(field));
    tell(segment?.[field] ?? null, true);
  },
};

const api: GppApi = (command = '', callback, parameter) => {
  // Of another frame, too, whose functions are of another class.
  if (typeof callback !== 'function') return;
  const run = COMMANDS[command];
  if (run) safely(() => run(callback, parameter));
  else callback(null, false);
};

/** Takes over from the snippet's stub, or from any other, with the calls and listeners that wait in it. */
export function install(): void {
  const stub = present();
  let calls: unknown;
  // Before it is replaced: a stub may look for its queue at the window's function.
  safely(() => {
    calls = stub?.();
  });
  become(api);
  beFound();
  for (const one of listOf<Listener>(ownMember(stub, 'events')))
    if (typeof one?.callback === 'function') listeners.set(one.id, one.callback);
  for (const call of listOf<Parameters<GppApi>>(calls)) safely(() => api(...call));
  fire('cmpStatus', 'loaded');
}

const listOf = <Item>(value: unknown): Item[] => (Array.isArray(value) ? [...value] : []);

/** Whether vendors should wait: for a first answer where visitors are asked first, or for one that the visitor is changing. */
const mustWait = (): boolean => applies() && (isChanging || (asks() && !current));

function judge(): void {
  const next = mustWait() ? 'not ready' : 'ready';
  if (next === signal) return;
  signal = next;
  fire('signalStatus', next);
}

/** Puts what is allowed now into the string; each change is between two events that say when it is done (CMP API 1.1). */
export function update(): void {
  if (!isSettled) return;
  const before = sections;
  const next = sectionsNow();
  const textIn = (all: Section[], name: string): string | undefined =>
    all.find((one) => one.name === name)?.text;
  const changed = supported.filter(({ name }) => textIn(before, name) !== textIn(next, name));
  if (changed[0] && signal === 'ready') {
    signal = 'not ready';
    fire('signalStatus', signal);
  }
  sections = next;
  for (const { name } of changed) fire('sectionChange', name);
  // A layer closes after the decision, and that ends the change.
  if (!isVisible) judge();
}

/** The region is known, or will not be: what the string begins with is no change. */
export function settle(): void {
  sections = sectionsNow();
  judge();
}

/** A layer is visible. */
export function shown(layer: AvowLayer): void {
  if (!applies()) return;
  isChanging = layer === 'settings';
  judge();
  if (isVisible) return;
  isVisible = true;
  fire('cmpDisplayStatus', 'visible');
}

/** It is not any more. */
export function hidden(): void {
  if (!isVisible) return;
  isVisible = false;
  isChanging = false;
  fire('cmpDisplayStatus', 'hidden');
  judge();
}
