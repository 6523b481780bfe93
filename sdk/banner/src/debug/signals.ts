import { own } from '../own.js';
import type { Signal } from './report.js';
import { joined, MOST, member, members, text, tried } from './tidy.js';

/** As long as a string of GPP may be in a record. */
const LONGEST = 12_100;

type Call = (...all: unknown[]) => unknown;

const words = (states: unknown): string =>
  members(states)
    .filter(([, value]) => typeof value === 'string')
    .map(([name, value]) => `${name.slice(0, 40)} ${String(value).slice(0, 40)}`)
    .join(', ');

/** Calls of consent that wait in a queue for their tag; it is gone, or something else, once that has loaded. */
function queued(to: string, queue: unknown, names: readonly string[], isFlat: boolean): Signal[] {
  if (!Array.isArray(queue)) return [];
  const found: Signal[] = [];
  for (let at = 0; at < Math.min(queue.length, MOST); at += 1) {
    const call = isFlat ? queue.slice(at, at + 3) : member(queue, at);
    if (!names.includes(member(call, 0) as string)) continue;
    const what = [1, 2].map((place) => text(member(call, place), 40) ?? words(member(call, place)));
    found.push({ to, what: [text(member(call, 0), 20), ...what].filter(Boolean).join(' ') });
  }
  return found;
}

/** What stands where a tag's queue was: whether the tag has come. */
const loaded = (to: string, is: boolean): Signal[] =>
  is ? [{ to, what: 'The tag has loaded: what it was told before cannot be read here' }] : [];

/** What the frameworks' calls said last. */
const said = new Map<string, string>();

function note(to: string, string: unknown, more: string): void {
  said.set(to, [more, text(string, LONGEST) ?? 'no string'].filter(Boolean).join(': '));
}

/** Listens to the frameworks, where the page has them. */
function ask(changed: () => void): void {
  const tcf = own<Call>(window, '__tcfapi');
  if (tcf instanceof Function && !said.has('IAB TCF')) {
    said.set('IAB TCF', 'no answer yet');
    tried(() =>
      tcf('addEventListener', 2, (data: unknown) => {
        const status = text(member(data, 'eventStatus'), 40) ?? '';
        const applies = member(data, 'gdprApplies');
        const told = typeof applies === 'boolean' ? applies : 'not said';
        note('IAB TCF', member(data, 'tcString'), `${status}, gdprApplies ${told}`);
        changed();
      }),
    );
  }
  const gpp = own<Call>(window, '__gpp');
  if (gpp instanceof Function)
    tried(() =>
      gpp('ping', (data: unknown) => {
        const which = joined(member(data, 'applicableSections'), 20, 100);
        const status = text(member(data, 'signalStatus'), 40) ?? '';
        note('IAB GPP', member(data, 'gppString'), `${status}, applicable sections ${which}`);
      }),
    );
}

/** What was told to others than Google. */
export function signalsNow(changed: () => void): Signal[] {
  ask(changed);
  const uetq = own<unknown>(window, 'uetq');
  const clarity = own<unknown>(window, 'clarity');
  const clarityQueue = member(clarity, 'q');
  const fbq = own<unknown>(window, 'fbq');
  return [
    ...queued('Microsoft Advertising (UET)', uetq, ['consent'], true),
    ...loaded(
      'Microsoft Advertising (UET)',
      uetq instanceof Object && !Array.isArray(uetq) && !(uetq instanceof Element),
    ),
    ...queued('Microsoft Clarity', clarityQueue, ['consent', 'consentv2'], false),
    ...loaded('Microsoft Clarity', clarity instanceof Function && !Array.isArray(clarityQueue)),
    ...queued('Meta', member(fbq, 'queue'), ['consent'], false),
    ...[...said].map(([to, what]) => ({ to, what })),
  ];
}
