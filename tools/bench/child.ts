import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

interface Reply {
  value?: unknown;
  error?: string;
}

export interface Starting {
  args?: string[];
  flags?: string[];
}

/**
 * Flags of Node for a process whose memory is measured: with more, its heap grows while there is room, whatever it needs.
 * What kept much would end for lack of memory.
 */
export const SMALL_HEAP = ['--max-old-space-size=96', '--max-semi-space-size=4'];

/** A program of the benchmark in a process of its own, which answers one message at a time. */
export class Child {
  private constructor(private readonly process: ChildProcess) {}

  /** Starts `<name>.js`; resolves when it is ready. @param flags of Node */
  static async start(name: string, { args = [], flags = [] }: Starting = {}): Promise<Child> {
    const child = new Child(
      fork(join(__dirname, `${name}.js`), args, {
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
        execArgv: flags,
      }),
    );
    await child.reply(name);
    return child;
  }

  /** Sends a message and waits for its reply. */
  async call<Value>(message: object): Promise<Value> {
    this.process.send(message);
    return (await this.reply('A program of the benchmark')) as Value;
  }

  async stop(): Promise<void> {
    if (this.process.exitCode !== null) return;
    const gone = once(this.process, 'exit');
    this.process.disconnect();
    await gone;
  }

  private reply(who: string): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const gone = (): void => reject(new Error(`${who} ended: see its message above`));
      this.process.once('exit', gone);
      this.process.once('message', ({ value, error }: Reply) => {
        this.process.off('exit', gone);
        if (error === undefined) resolve(value);
        else reject(new Error(error));
      });
    });
  }
}

/** The other side: answers each message by what `work` makes of it, and ends with whoever asks. */
export function answerCalls<Asked>(work: (asked: Asked) => Promise<unknown>): void {
  process.on('message', (asked: Asked) => {
    work(asked).then(
      (value) => process.send?.({ value }),
      (error: Error) => process.send?.({ error: error.stack ?? error.message }),
    );
  });
  process.on('disconnect', () => process.exit());
  process.send?.({ value: 'ready' });
}
