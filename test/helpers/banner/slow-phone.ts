import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex, Readable, Writable } from 'node:stream';
import { CHROMIUM_FLAGS, chromiumPath } from '../browser/chromium';

/** The screen of a common phone, in CSS pixels. */
const SCREEN = { width: 412, height: 823, deviceScaleFactor: 1, mobile: false };

/**
 * A Chromium that is slowed down, spoken to by the DevTools protocol alone. A test driver makes contexts of
 * its own in every document and frame, which on a slow machine are long tasks themselves.
 */
export class SlowPhone {
  private readonly profile = mkdtempSync(join(tmpdir(), 'avow-phone-'));
  private readonly process: ChildProcess;
  private readonly waiting = new Map<number, (answer: Answer) => void>();
  private last = 0;

  constructor(private readonly slower: number) {
    this.process = spawn(
      chromiumPath as string,
      [...CHROMIUM_FLAGS, '--headless', '--remote-debugging-pipe', `--user-data-dir=${this.profile}`],
      // In a group of its own, which ends as a whole.
      { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'], detached: true },
    );
    let text = '';
    (this.process.stdio[4] as Readable).on('data', (chunk: Buffer) => {
      const messages = (text + chunk).split('\0');
      text = messages.pop() as string;
      for (const message of messages.map((one) => JSON.parse(one) as Answer)) {
        this.waiting.get(message.id)?.(message);
        this.waiting.delete(message.id);
      }
    });
  }

  /** Opens a page as a new visitor and resolves to what the promise in a variable of its window gives. */
  async visit<Result>(url: string, variable: string): Promise<Result> {
    const { browserContextId } = await this.send('Target.createBrowserContext');
    const { targetId } = await this.send('Target.createTarget', { url: 'about:blank', browserContextId });
    const { sessionId } = await this.send('Target.attachToTarget', { targetId, flatten: true });
    const session = sessionId as string;
    await this.send('Emulation.setDeviceMetricsOverride', SCREEN, session);
    await this.send('Emulation.setCPUThrottlingRate', { rate: this.slower }, session);
    await this.send('Page.navigate', { url }, session);
    // The document is there, and its first script may not have run yet.
    const expression = `new Promise((resolve) => {
      const look = () => (window.${variable} ? resolve(window.${variable}) : setTimeout(look, 200));
      look();
    })`;
    const { result, exceptionDetails } = await this.send(
      'Runtime.evaluate',
      { expression, awaitPromise: true, returnByValue: true },
      session,
    );
    await this.send('Target.disposeBrowserContext', { browserContextId });
    if (exceptionDetails) throw new Error(`${url}: ${JSON.stringify(exceptionDetails)}`);
    return (result as { value: Result }).value;
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.process.once('exit', resolve));
    process.kill(-(this.process.pid as number), 'SIGKILL');
    await ended;
    // Its other processes may still write for a moment.
    await rm(this.profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }

  private async send(method: string, params: object = {}, sessionId?: string): Promise<Result> {
    this.last += 1;
    const id = this.last;
    const answer = new Promise<Answer>((resolve) => this.waiting.set(id, resolve));
    (this.process.stdio[3] as Writable | Duplex).write(
      `${JSON.stringify({ id, method, params, sessionId })}\0`,
    );
    const { result, error } = await answer;
    if (error || !result) throw new Error(`${method}: ${error?.message}`);
    return result;
  }
}

type Result = Record<string, unknown>;
interface Answer {
  id: number;
  result?: Result;
  error?: { message: string };
}
