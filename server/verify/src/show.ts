import type { Step, Verification } from '@avow/sdk/verify';
import type { Chosen } from './choose';
import { element } from './dom';
import type { Tally } from './tally';
import { KINDS, STEPS, VERDICTS } from './words';

/** What was found, as elements of the page. */
export function resultOf({ name, content }: Chosen, found: Verification, tally: Tally): Node[] {
  const { verdict, kind, site, origin, size, records } = found;
  const { proven, pending, failed } = records;
  const facts: [string, string | undefined][] = [
    ['File', `${name}, ${sized(content.size)}, ${KINDS[kind]}`],
    ['Site', site],
    ['Log', origin],
    ['Size of the log', size === undefined ? undefined : `${count(size, 'leaf', 'leaves')}`],
    ['Records', `${number(proven)} proven, ${number(pending)} not sealed yet, ${number(failed)} failed`],
  ];
  const [title, tone, words] = VERDICTS[verdict];
  return [
    element('div', `box ${tone}`, element('h2', '', title), element('p', '', words)),
    element(
      'dl',
      'facts',
      ...facts.flatMap(([term, value]) =>
        value === undefined ? [] : [element('dt', '', term), element('dd', '', value)],
      ),
    ),
    ...section('What fails', false, found, tally),
    ...section('What is not known', 'unknown', found, tally),
    ...section('What only the file says', 'unproven', found, tally),
    ...holding(found, tally),
  ];
}

function section(title: string, ok: Step['ok'], { steps }: Verification, tally: Tally): Node[] {
  const total = tally.of(ok);
  if (total === 0) return [];
  const listed = steps.filter((step) => step.ok === ok);
  return [
    element('h2', '', `${title} (${number(total)})`),
    list(listed, (step) => STEPS[step.step][0]),
    ...more(total - listed.length),
  ];
}

/** What holds is long, and folded by kind. */
function holding({ steps }: Verification, tally: Tally): Node[] {
  const total = tally.of(true);
  if (total === 0) return [];
  const groups = tally.kinds(true).map(([kind, n]) => {
    const [name, about] = STEPS[kind];
    const listed = steps.filter(({ ok, step }) => ok === true && step === kind);
    return element(
      'details',
      'group',
      element('summary', '', `${name} (${number(n)})`),
      element('p', 'hint', about),
      list(listed, () => undefined),
      ...more(n - listed.length),
    );
  });
  return [element('h2', '', `What holds (${number(total)})`), ...groups];
}

function list(steps: readonly Step[], nameOf: (step: Step) => string | undefined): Node {
  const items = steps.map((step) => {
    const name = nameOf(step);
    return element(
      'li',
      '',
      element('p', 'where', ...(name === undefined ? [] : [element('strong', '', name), ' · ']), step.where),
      element('p', '', capital(step.what)),
    );
  });
  return element('ul', 'steps', ...items);
}

const more = (n: number): Node[] =>
  n > 0 ? [element('p', 'hint', `And ${number(n)} more, which are not listed.`)] : [];

export const number = (n: number): string => n.toLocaleString('en');
const count = (n: number, one: string, several: string): string => `${number(n)} ${n === 1 ? one : several}`;
const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

const UNITS = ['bytes', 'KB', 'MB', 'GB'];

export function sized(bytes: number): string {
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), UNITS.length - 1);
  const value = bytes / 1000 ** power;
  return `${value.toLocaleString('en', { maximumFractionDigits: power === 0 ? 0 : 1 })} ${UNITS[power]}`;
}
