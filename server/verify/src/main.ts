import { verifyEvidence } from '@avow/sdk/verify';
import { type Chosen, onChosen } from './choose';
import { byId, element } from './dom';
import { readTrust } from './keys';
import { paced } from './paced';
import { number, resultOf } from './show';
import { Tally } from './tally';
import { VERDICTS } from './words';

/** Milliseconds between two looks of the progress. */
const LOOK = 100;

const [status, result] = [byId('status', HTMLElement), byId('result', HTMLElement)];
const [running, progress] = [byId('running', HTMLElement), byId('progress', HTMLProgressElement)];
let last: Chosen | undefined;
let run = 0;

/** Verifies a file and shows what was found; the latest file wins. */
async function verify(chosen: Chosen): Promise<void> {
  last = chosen;
  run += 1;
  const own = run;
  const isOver = (): boolean => own !== run;
  result.hidden = true;
  const trust = await readTrust();
  if (isOver()) return;
  if (trust === undefined) return say('A key is not well-formed: see the field.');
  say(`Verifying ${chosen.name} …`);
  running.hidden = false;
  progress.value = 0;
  const tally = new Tally();
  const file = paced(chosen.content, look(chosen.content.size), isOver);
  const found = await verifyEvidence(file, { ...trust, onStep: (step) => tally.add(step) });
  if (isOver()) return;
  running.hidden = true;
  result.replaceChildren(...resultOf(chosen, found, tally));
  result.hidden = false;
  const [title, , words] = VERDICTS[found.verdict];
  const fails = tally.of(false);
  say(`${title}. ${words}${fails === 0 ? '' : ` ${number(fails)} of the steps do not hold.`}`, true);
  result.scrollIntoView({ block: 'nearest' });
}

/** Moves the progress now and then: a page that is painted for each record does little else. */
function look(size: number): (read: number) => void {
  let next = 0;
  return (read) => {
    if (performance.now() < next) return;
    next = performance.now() + LOOK;
    progress.value = size === 0 ? 1 : read / size;
  };
}

/** @param isShown whether the page shows the same elsewhere */
function say(text: string, isShown = false): void {
  status.replaceChildren(element('p', isShown ? 'heard' : '', text));
}

if (location.protocol === 'file:') document.documentElement.classList.add('saved');
onChosen(
  (chosen) => void verify(chosen),
  (why) => say(why),
);
byId('again', HTMLButtonElement).addEventListener('click', () => {
  if (last !== undefined) void verify(last);
  else
    void readTrust().then((trust) => trust && say('Choose a file, which will be verified with these keys.'));
});
