import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installPackage } from '../processes/installed';
import { until } from '../until';

/**
 * A folder in which Next.js, React and their like are installed, of which this repository has no need otherwise:
 * they are half as large as all its packages together.
 */
export const nextFolder = process.env.TEST_NEXT;

/** Builds the app of Next.js for production and starts it. */
export async function serveNext(snippet: string, host: string) {
  const folder = nextFolder as string;
  cpSync(join(__dirname, '../../bindings/apps/next'), folder, { recursive: true });
  const installation = installPackage();
  const sdk = join(folder, 'node_modules/@avow/sdk');
  rmSync(sdk, { recursive: true, force: true });
  mkdirSync(join(sdk, '..'), { recursive: true });
  cpSync(installation.installed, sdk, { recursive: true });
  installation.remove();
  const { NODE_OPTIONS: _, ...rest } = process.env;
  const env: NodeJS.ProcessEnv = {
    ...rest,
    ...{ NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1', AVOW_SNIPPET: snippet, AVOW_ORIGIN: host },
  };
  const program = join(folder, 'node_modules/next/dist/bin/next');
  const built = await promisify(execFile)(process.execPath, [program, 'build'], { cwd: folder, env });
  const child = spawn(process.execPath, [program, 'start', '--port', '0'], {
    ...{ cwd: folder, env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed = textOf(child);
  const origin = await until('Next.js has started', () => /http:\/\/localhost:\d+/.exec(printed())?.[0]);
  return {
    origin,
    /** What the build and the server have printed. */
    printed: () => built.stdout + built.stderr + printed(),
    stop: async () => {
      const ended = new Promise((resolve) => child.once('close', resolve));
      child.kill();
      await ended;
    },
  };
}

function textOf(child: ChildProcess): () => string {
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (part) => {
      text += part;
    });
  return () => text;
}
