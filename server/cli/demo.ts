import { createServer } from 'node:http';
import { parseArgs } from 'node:util';
import { readConfig } from '../src/config';
import { type Embedded, startEmbedded } from '../src/db/embedded';
import { createLogger } from '../src/observability/logger';
import { Service } from '../src/service';
import { linkOf } from '../src/services/accounts';
import { type Command, complain } from './command';
import { filmPage, shopPage } from './demo/pages';

/**
 * `npm run demo`: a server, and a shop on another port whose page carries the banner, a blocked film and an
 * event log.
 */
async function start(): Promise<void> {
  const config = readConfig();
  const log = createLogger(config.logLevel === 'info' ? 'warn' : config.logLevel);
  const quiet = () => undefined;
  const embedded: Embedded | undefined =
    config.databaseUrl === undefined
      ? await startEmbedded({ dataDir: config.dataDir, log: quiet })
      : undefined;
  const databaseUrl = config.databaseUrl ?? (embedded as Embedded).url();
  const service = Service.create({ ...config, databaseUrl }, { log });
  const firstRun = await service.start();
  if (firstRun.demoToken === undefined) throw new Error('There is no demo site: start with DEMO=on.');
  const script = `${service.context.publicUrl()}/api/bundles/${firstRun.demoToken}.js`;
  const shop = createServer((request, response) => {
    const known = request.url === '/' || request.url === '/film';
    response.writeHead(known ? 200 : 404, { 'Content-Type': 'text/html; charset=utf-8' });
    response.end(request.url === '/film' ? filmPage() : known ? shopPage(script) : '');
  });
  await new Promise<void>((resolve) => shop.listen(service.port + 1, resolve));
  process.stdout.write(`
  Shop    http://localhost:${service.port + 1}   a page with the banner; decide, and watch its event log
  Avow    ${service.context.publicUrl()}   where its decisions go${
    firstRun.setupCode === undefined
      ? ''
      : `\n  Set up  ${linkOf(service.context.publicUrl(), firstRun.setupCode)}`
  }

`);
  const stop = async (): Promise<void> => {
    shop.closeAllConnections();
    shop.close();
    await service.destroy();
    await embedded?.stop();
  };
  // The signal that ends the demo comes once; a second one ends it at once.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop());
}

const USAGE = `npm run demo
Starts a server, and a shop on the next port whose page carries the banner, a blocked film and an event log.`;

export const demo: Command = {
  usage: USAGE,
  run: async (args) => {
    parseArgs({ args });
    try {
      await start();
    } catch (error) {
      complain((error as Error).message);
      // Whatever was started must not keep the process running.
      process.exit(1);
    }
  },
};
