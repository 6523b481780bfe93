import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { Limit } from '../domain/cookies/result';
import { within } from '../net/abortable';
import { browserEnvironment } from './browser-environment';
import { type Answer, type Ending, MAX_ANSWER, readLine, type Task } from './driver-messages';
import {
  DRIVER_GONE,
  NOT_IN_TIME,
  NoBrowser,
  ScanFailure,
  TOO_LARGE,
  TOO_MUCH_MEMORY,
  TOO_MUCH_TOLD,
} from './failure';
import { endGroup, groupIn } from './groups';
import type { Budget } from './limits';
import { boundMemory, memoryOf, memoryOfProcess } from './memory';

const MB = 1024 * 1024;
/** Of a driver, in MiB: it has 90 of its own, and a message comes three times, as bytes, as text and as what it means. */
const DRIVER_HEAP = 256;
const DRIVER_MEMORY = 384;
/** How often memory is measured, in milliseconds: a driver reads its browser's messages fast. */
const LOOKS = { browser: 250, driver: 100 };
/** How long a driver that has answered may take to end its browser and itself, in milliseconds. */
const CLOSE_MS = 4_000;
/** The signals by which a process whose heap is full ends itself. */
const OUT_OF_HEAP = ['SIGABRT', 'SIGTRAP'];

/** An answer, and the limit that was reached before it came. */
export interface Told {
  answer: Answer;
  reached: Limit | undefined;
}

type Driver = ChildProcessByStdio<Writable, Readable, null>;

/**
 * Runs a browser in a process of its own for one visit, since all that a page makes its browser tell comes
 * whole into the process that drives it. That process and the browser have ended when this returns. Throws
 * `ScanFailure` and `NoBrowser`.
 */
export async function drive(file: string, task: Task, budget: Budget): Promise<Told> {
  const driver = start(file, task.folder);
  const { limits, folder } = task;
  let why: string | undefined;
  const end = (reason?: string): void => {
    why ??= reason;
    if (driver.exitCode === null && driver.signalCode === null) endGroup(driver.pid ?? 0);
    endGroup(groupIn(folder));
  };
  const ended = new Promise<void>((resolve) =>
    driver.once('error', () => resolve()).once('close', () => resolve()),
  );
  const ofBrowser = (): void => {
    why ??= TOO_LARGE;
    // The driver sees it, and ends.
    endGroup(groupIn(folder));
  };
  const unwatch = [
    boundMemory(() => memoryOf(groupIn(folder)), limits.memoryMb * MB, LOOKS.browser, ofBrowser),
    boundMemory(
      () => memoryOfProcess(driver.pid ?? 0),
      DRIVER_MEMORY * MB,
      LOOKS.driver,
      () => end(TOO_MUCH_MEMORY),
    ),
  ];
  const timer = setTimeout(() => end(NOT_IN_TIME), 2 * limits.totalMs);
  try {
    const told = await new Promise<Told | undefined>((resolve) => {
      const none = (): void => resolve(undefined);
      const hear = (answer: Answer | undefined): void =>
        resolve(answer && { answer, reached: budget.reached });
      void ended.then(none);
      listen(driver, budget, hear, () => end(TOO_MUCH_TOLD));
      driver.stdin.write(`${JSON.stringify(task)}\n`);
      follow(driver, budget, none);
    });
    // Nobody waits for it any more: it ends at once.
    if (told === undefined) driver.stdin.end();
    await within(ended, AbortSignal.timeout(CLOSE_MS));
    if (why !== undefined) throw new ScanFailure(why);
    if (told !== undefined) return told;
    if (driver.pid === undefined) throw new NoBrowser('no process could be started for it');
    if (budget.signal.aborted && budget.reached === undefined) throw new Error('the visit was stopped');
    throw new ScanFailure(OUT_OF_HEAP.includes(driver.signalCode ?? '') ? TOO_MUCH_MEMORY : DRIVER_GONE);
  } finally {
    clearTimeout(timer);
    for (const each of unwatch) each();
    end();
    driver.stdin.destroy();
    driver.stdout.destroy();
    await within(ended, AbortSignal.timeout(CLOSE_MS));
  }
}

function start(file: string, folder: string): Driver {
  const driver = spawn(process.execPath, [`--max-old-space-size=${DRIVER_HEAP}`, file], {
    // A group of its own: whoever ends the server by the keyboard ends it first.
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
    env: browserEnvironment(folder, folder),
  });
  // It may end at any time; what that means is told by its end.
  driver.stdin.on('error', () => undefined);
  driver.stdout.on('error', () => undefined);
  return driver;
}

/** Tells a driver that a limit was reached; calls `stop` when the visit ends for another reason. */
function follow(driver: Driver, budget: Budget, stop: () => void): void {
  const { signal } = budget;
  const tell = (): void => {
    if (budget.reached === undefined) {
      stop();
      return;
    }
    const ending: Ending = { reached: budget.reached };
    driver.stdin.write(`${JSON.stringify(ending)}\n`);
  };
  if (signal.aborted) tell();
  else signal.addEventListener('abort', tell, { once: true });
}

/** Counts what a driver tells, until it answers; `end` ends one that says more than it may. */
function listen(
  driver: Driver,
  budget: Budget,
  answer: (answer: Answer | undefined) => void,
  end: () => void,
): void {
  let length = 0;
  let pieces: Buffer[] = [];
  const hear = (line: string): void => {
    const said = readLine(line);
    if (said === undefined || !('requests' in said)) {
      answer(said);
      return;
    }
    if (said.requests > 0) budget.tellRequests(said.requests);
    if (said.bytes > 0) budget.takeBytes(said.bytes);
  };
  driver.stdout.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length > MAX_ANSWER) {
      driver.stdout.destroy();
      end();
      return;
    }
    const cut = chunk.lastIndexOf(10) + 1;
    if (cut === 0) {
      pieces.push(chunk);
      return;
    }
    const whole = Buffer.concat([...pieces, chunk.subarray(0, cut)]);
    pieces = [chunk.subarray(cut)];
    for (const line of whole.toString('utf8').trimEnd().split('\n')) hear(line);
  });
}
