import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { freePort } from '../processes/child';

/** Serves the default export of a fetch handler, as Deno, Bun and Workers would. */
const HOST = `
import { createServer } from 'node:http';
const { default: handler } = await import(process.env.HANDLER);
createServer(async (incoming, outgoing) => {
  const chunks = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const init = { method: incoming.method, headers: incoming.headers, body: Buffer.concat(chunks) };
  const answer = await handler.fetch(new Request('http://localhost' + incoming.url, init));
  outgoing.writeHead(answer.status).end(await answer.text());
}).listen(Number(process.env.PORT), () => console.log('ready'));
`;

/** An example that receives webhooks, as a process of its own. */
export class ExampleReceiver {
  /** What it printed since it was ready. */
  printed = '';

  private constructor(
    readonly url: string,
    private readonly child: ChildProcess,
  ) {}

  /**
   * Starts a program that listens, or one whose default export is a fetch handler; resolves when it is ready.
   */
  static async start(file: string, kind: 'listens' | 'fetch', secret: string): Promise<ExampleReceiver> {
    const port = await freePort();
    const host = join(dirname(file), 'host.mjs');
    if (kind === 'fetch') writeFileSync(host, HOST);
    const env = { ...process.env, AVOW_WEBHOOK_SECRET: secret, PORT: String(port), HANDLER: file };
    const child = spawn(process.execPath, [kind === 'fetch' ? host : file], { env });
    const receiver = new ExampleReceiver(`http://127.0.0.1:${port}/hooks/avow`, child);
    child.stderr?.on('data', (text) => process.stderr.write(text));
    await new Promise<void>((resolve, reject) => {
      child.stdout?.once('data', () => resolve());
      child.once('exit', (code) => reject(new Error(`it ended with ${code}`)));
    });
    child.stdout?.on('data', (text) => {
      receiver.printed += text;
    });
    return receiver;
  }

  async post(signed: {
    body: string;
    headers: Record<string, string>;
  }): Promise<{ status: number; text: string }> {
    const response = await fetch(this.url, { method: 'POST', ...signed });
    return { status: response.status, text: await response.text() };
  }

  async stop(): Promise<void> {
    const gone = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill();
    await gone;
  }
}
