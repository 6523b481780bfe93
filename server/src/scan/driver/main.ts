import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { within } from '../../net/abortable';
import type { Answer, Counts, Ending, Task } from '../driver-messages';
import { GONE, ScanFailure, TOO_LARGE } from '../failure';
import { endGroup, groupIn } from '../groups';
import { type Browser, launch, loadPlaywright } from './chromium';
import { Meter } from './meter';
import { NavigationFailure } from './navigation';
import { visit } from './visit';

// A program of its own: it drives one browser for one scan, and all that the browser says comes whole into it.

/** How long it may take until the end of a browser is known, in milliseconds. */
const GONE_MS = 1_000;

const write = (line: Counts | Answer): Promise<void> =>
  new Promise((resolve) => process.stdout.write(`${JSON.stringify(line)}\n`, () => resolve()));
const firstLine = (error: unknown): string => String(error).split('\n', 1)[0]?.slice(0, 300) ?? '';

const meter = new Meter((counts) => void write(counts));
let task: Task | undefined;

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const said = JSON.parse(line) as Task | Ending;
    if ('reached' in said) meter.end(said.reached);
    else {
      task = said;
      void work(said);
    }
  })
  // The server wants no answer any more, or has ended.
  .once('close', () => leave());
process.stdout.on('error', () => leave());

async function work(given: Task): Promise<void> {
  const playwright = loadPlaywright();
  if (playwright === undefined) return tell({ unusable: 'playwright-core is not installed' });
  let browser: Browser;
  try {
    browser = await launch(playwright, given);
  } catch (error) {
    return tell({ unusable: (error as Error).message.split('\n', 1)[0] ?? '' });
  }
  const answer = await answerOf(browser, given);
  await write(answer);
  await browser.close();
  process.exit(0);
}

async function answerOf({ context, kill }: Browser, given: Task): Promise<Answer> {
  let isTooLarge = false;
  const gone = new Promise<never>((_resolve, reject) => {
    context.once('close', () => reject(new ScanFailure(GONE)));
  });
  const end = (): void => {
    isTooLarge = true;
    kill();
  };
  try {
    return { seen: await Promise.race([visit(context, given, meter, end), gone]) };
  } catch (error) {
    if (isTooLarge) return { failed: TOO_LARGE };
    if (error instanceof NavigationFailure) return { failed: error.message, host: error.host };
    if (error instanceof ScanFailure) return { failed: error.message };
    // Whatever was asked of a browser that ends fails, a moment before its end is known.
    return within(gone, AbortSignal.timeout(GONE_MS)).then(
      () => ({ broken: firstLine(error) }),
      () => ({ failed: GONE }),
    );
  }
}

async function tell(answer: Answer): Promise<void> {
  await write(answer);
  process.exit(0);
}

/** At once, with everything that was started and written for the scan. */
function leave(): void {
  if (task !== undefined) {
    endGroup(groupIn(task.folder));
    try {
      rmSync(task.folder, { recursive: true, force: true, maxRetries: 5 });
    } catch {
      // A process of the browser that ends just now may still write there.
    }
  }
  process.exit(0);
}
