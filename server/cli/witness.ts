import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { takeLock } from '../src/db/embedded/lock';
import { createLogger } from '../src/observability/logger';
import { type Command, say, UsageError } from './command';
import { createWitnessServer } from './witness/http';
import { Logs } from './witness/logs';
import { nowInSeconds } from './witness/now';
import { loadSigner } from './witness/signer';
import { CheckpointStore } from './witness/store';
import { Witness } from './witness/witness';

const USAGE = `npm run witness -- --name NAME [--folder FOLDER] [--logs FILE] [--host HOST] [--port PORT]
npm run witness -- --vkey [--name NAME] [--folder FOLDER]

Signs checkpoints of other people's logs, each only if it contains everything of the one before (C2SP tlog-witness).
  --folder FOLDER   its key, and the last checkpoint of each log: back it up (.witness)
  --logs FILE       the logs, one verifier key a line; read again when it changes (FOLDER/logs)
  --name NAME       its name, such as witness.example.com; only when the key is made
  --host, --port    where it listens (127.0.0.1, 8090; port 0 takes a free one); another host for a proxy on another machine
  --vkey            prints its verifier key and ends
POST /add-checkpoint, GET /HASH/checkpoint, GET /healthz. Put a proxy with TLS before it.`;

async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      folder: { type: 'string', default: '.witness' },
      logs: { type: 'string' },
      name: { type: 'string' },
      host: { type: 'string', default: '127.0.0.1' },
      port: { type: 'string', default: '8090' },
      vkey: { type: 'boolean', default: false },
    },
  });
  const port = /^\d{1,5}$/.test(values.port) ? Number(values.port) : Number.NaN;
  if (!(port <= 65_535)) throw new UsageError('A port is a whole number from 0 to 65535.');
  const folder = resolve(values.folder);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const refusal = (pid: number): string => `The witness of ${folder} runs already, as process ${pid}.`;
  const lock = values.vkey ? undefined : await takeLock(folder, 'witness.lock', refusal);
  try {
    const signer = loadSigner(folder, values.name);
    if (values.vkey) return say(signer.vkey);
    await serve(folder, { logs: values.logs ?? join(folder, 'logs'), host: values.host, port }, signer);
  } finally {
    lock?.release();
  }
}

async function serve(
  folder: string,
  { logs: file, host, port }: { logs: string; host: string; port: number },
  signer: ReturnType<typeof loadSigner>,
): Promise<void> {
  const log = createLogger('info');
  const logs = openLogs(file, (error) =>
    log.error({ error }, 'the logs cannot be read: those of before stay'),
  );
  const store = new CheckpointStore(folder, signer, logs);
  const witness = new Witness(signer, logs, store, nowInSeconds);
  const server = createWitnessServer({ witness, store, log });
  server.listen(port, host);
  await once(server, 'listening');
  say(signer.vkey);
  log.info({ port: (server.address() as AddressInfo).port, logs: logs.size }, 'the witness listens');
  const stop = (): void => {
    server.close();
    server.closeIdleConnections();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
  await once(server, 'close');
  log.flush();
}

function openLogs(file: string, onFault: (error: unknown) => void): Logs {
  try {
    return new Logs(file, onFault);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const told = code === 'ENOENT' ? 'there is no such file' : message;
    throw new Error(
      `${file} cannot be read (${told}): write the verifier keys of the logs into it, one a line.`,
    );
  }
}

export const witness: Command = { usage: USAGE, run };
