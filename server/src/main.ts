import cluster from 'node:cluster';
import type { Server } from 'node:http';
import { type Config, readConfig } from './config';
import { type Embedded, startEmbedded } from './db/embedded';
import { createLogger, type Logger } from './observability/logger';
import { publishDemo } from './runtime/first-run';
import { answerHeartbeat } from './runtime/heartbeat';
import { metricsOfAll, Processes, serveMetrics } from './runtime/processes';
import { explainStart } from './runtime/start-error';
import { Stop } from './runtime/stop';
import { welcome } from './runtime/welcome';
import { loadSecrets } from './security/secrets';
import { Service } from './service';

/** The process exits at the latest this many milliseconds after SIGTERM and draining. */
const STOP_LIMIT = 20_000;

async function main(): Promise<void> {
  // Before everything else, so that a start that hangs is told from a slow one.
  if (!cluster.isPrimary) answerHeartbeat();
  const config = readConfig();
  const log = createLogger(config.logLevel);
  const stop = new Stop(log, STOP_LIMIT + config.drainSeconds * 1000);
  try {
    await (cluster.isPrimary ? runFirst(config, log, stop) : runOneOfSeveral(config, log, stop));
  } catch (error) {
    // A start interrupted by a stop is not a failure.
    if (!stop.begun) throw explainStart(error, config);
  }
}

/** The only process, or the first of several; it runs the database, the jobs and the other processes. */
async function runFirst(config: Config, log: Logger, stop: Stop): Promise<void> {
  const embedded = config.databaseUrl === undefined ? await startDatabase(config, log) : undefined;
  if (embedded !== undefined) stop.last(() => embedded.stop());
  const databaseUrl = config.databaseUrl ?? (embedded as Embedded).url();
  const several = config.workers > 1 && config.role !== 'worker';
  // With several processes the first one answers nothing itself; with ROLE=api it has no jobs either.
  const own: Config = several ? { ...config, role: config.role === 'api' ? 'api' : 'worker' } : config;
  const service = Service.create({ ...own, databaseUrl }, { log, listen: !several });
  stop.first(() => end(service, stop));
  const firstRun = await service.start();
  const { registry } = service.context.metrics;
  let collect = (): Promise<string> => registry.metrics();
  if (several) {
    const processes = new Processes(config.workers, environmentOf(config, databaseUrl), registry, log);
    collect = () => processes.metrics();
    stop.first(() => {
      // The first claims no more deliveries while the others finish: they all have the same time.
      service.context.dispatcher.pause();
      service.context.mailSender.pause();
      return processes.stop(stop.hurried);
    });
    service.context.config.port = await processes.start();
    if (config.port === 0 && firstRun.demoToken !== undefined) await publishDemo(service.context);
  }
  if (config.metricsPort !== undefined) {
    const metrics: Server = await serveMetrics(config.metricsPort, config.metricsHost, collect);
    // To the end, so that a drain can be watched.
    stop.last(async () => void metrics.close());
  }
  if (config.role !== 'worker') welcome(service.context, firstRun, embedded !== undefined);
  else log.info('worker started');
}

async function startDatabase(config: Config, log: Logger): Promise<Embedded> {
  return startEmbedded({
    dataDir: config.dataDir,
    // Apart, because a line has a pid already: that of Avow.
    log: (level, message, fields) => log[level]({ postgres: fields ?? {} }, message),
  });
}

async function runOneOfSeveral(config: Config, log: Logger, stop: Stop): Promise<void> {
  let collect: (() => Promise<string>) | undefined;
  const service = Service.create(config as Config & { databaseUrl: string }, {
    log,
    collectMetrics: () => (collect as () => Promise<string>)(),
  });
  collect = metricsOfAll(service.context.metrics.registry);
  stop.first(() => end(service, stop));
  await service.start();
}

async function end(service: Service, stop: Stop): Promise<void> {
  await service.drain(stop.hurried);
  await service.destroy();
}

/** The environment of the other processes: the database and the keys, without a first run. */
function environmentOf(config: Config, databaseUrl: string): NodeJS.ProcessEnv {
  const { jwtSecret, secretsKey } = loadSecrets(config);
  const environment: NodeJS.ProcessEnv = {
    DATABASE_URL: databaseUrl,
    JWT_SECRET: jwtSecret,
    SECRETS_KEY: secretsKey,
    ROLE: 'api',
    WORKERS: '1',
    MIGRATE: 'off',
    DEMO: 'off',
    PORT: String(config.port),
  };
  // A variable and its _FILE twin must not both be set.
  for (const name of Object.keys(environment)) environment[`${name}_FILE`] = '';
  return environment;
}

main().catch((error: Error) => {
  // Without a stack: the message says what to do.
  process.stderr.write(`Avow cannot start: ${error.message}\n`);
  process.exit(1);
});
