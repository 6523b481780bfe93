import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Apps of several frameworks, built by Vite, and the server of their pages. */
export interface Apps {
  origin: string;
  stop(): Promise<void>;
}

const APPS = join(__dirname, '../../bindings/apps');

/** `host` is the origin of the banner's script and of its server. */
export async function serveApps(snippet: string, host: string): Promise<Apps> {
  const target = mkdtempSync(join(tmpdir(), 'avow-apps-'));
  const program = join(__dirname, 'serve-apps.mjs');
  const child = spawn(process.execPath, [program, APPS, target, snippet, host], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const port = await new Promise<number>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text) => {
        printed += text;
        const [, found] = /^\{"port":(\d+)/m.exec(printed) ?? [];
        if (found !== undefined) resolve(Number(found));
      });
    child.once('close', () => reject(new Error(`The apps were not built:\n${printed}`)));
  });
  return {
    origin: `http://shop.localhost:${port}`,
    stop: async () => {
      child.kill();
      await ended;
      rmSync(target, { recursive: true, force: true });
    },
  };
}
