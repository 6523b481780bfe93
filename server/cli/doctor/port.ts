import { createServer } from 'node:net';
import type { Config } from '../../src/config';
import { broken, type Check, type Finding, fine, warning } from './finding';

/** How long an answer may take, in milliseconds. */
const LIMIT = 3_000;

/** Whether the port is free, or used by Avow itself. */
export const checkPort: Check = async (config) => {
  if (config.role === 'worker') return [fine('Port: none, because ROLE is worker')];
  const code = await tryToListen(config);
  if (code === undefined) return [fine(`Port: ${config.port} is free, no server runs there`)];
  if (code === 'EADDRINUSE') return [await askWhoAnswers(config)];
  return [
    broken(`Port: ${config.host}:${config.port} cannot be used (${code})`, 'set HOST and PORT to others'),
  ];
};

function tryToListen({ host, port }: Config): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'unknown'));
    server.listen(port, host, () => server.close(() => resolve(undefined)));
  });
}

async function askWhoAnswers({ host, port }: Config): Promise<Finding> {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  const ask = async (path: string): Promise<{ status?: string; reason?: string }> => {
    const response = await fetch(`http://${name.includes(':') ? `[${name}]` : name}:${port}${path}`, {
      signal: AbortSignal.timeout(LIMIT),
    });
    return (await response.json()) as { status?: string; reason?: string };
  };
  try {
    const health = await ask('/healthz');
    if (health.status !== 'ok') throw new Error('not Avow');
    const { status, reason } = await ask('/readyz');
    if (status === 'ready') return fine(`Port: Avow answers on ${port} and is ready`);
    if (status !== 'not ready') throw new Error('not Avow');
    return warning(`Port: Avow answers on ${port}, but is not ready`, reason ?? 'look at /readyz');
  } catch {
    return broken(`Port: ${port} is in use by another program`, 'stop it, or set PORT to another');
  }
}
