import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Bench, Figure } from './bench/figure';
import { figures } from './bench/figures';
import { type Histories, makeHistories } from './bench/histories';
import { busyShare } from './bench/machine';
import { Report } from './bench/report';
import { type Host, Stage } from './bench/stage';

const HELP = `npm run bench -- [--quick] [--only name,name] [--json FILE]

  --quick   a short run: shows whether the benchmark works, not how fast Avow is
  --only    only these figures: ${figures.map(({ name }) => name).join(', ')}
  --json    also writes the figures to a file
`;

/** A machine with a higher load before the start is too busy to measure. */
const BUSY = 0.1;

/**
 * `npm run bench`: measures the visitor path and its upper bounds, on a PostgreSQL of its own. Traffic stays
 * on 127.0.0.1.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string' },
      json: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return;
  }
  const chosen = choose(values.only);
  const report = new Report();
  const busy = await busyShare(2_000);
  if (busy > BUSY) {
    const percent = Math.round(busy * 100);
    report.warn(
      `The machine was ${percent} % busy before the benchmark began: Avow needs two cores at once and will look slower than it is.`,
    );
  }
  const stage = await Stage.start();
  const stopped = new Promise<never>((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.once(signal, () => reject(new Error(signal)));
  });
  try {
    await Promise.race([measure(chosen, stage, report, values.quick), stopped]);
  } finally {
    await stage.stop();
  }
  process.stdout.write(report.toText());
  const json = JSON.stringify(report.toJson(), undefined, 2);
  if (values.json === undefined) process.stdout.write(`\n${json}\n`);
  else writeFileSync(values.json, `${json}\n`);
}

function choose(only: string | undefined): Figure[] {
  if (only === undefined) return figures;
  return only.split(',').map((name) => {
    const figure = figures.find((candidate) => candidate.name === name);
    if (figure === undefined)
      throw new Error(`${name} is not a figure: choose from ${figures.map((f) => f.name).join(', ')}`);
    return figure;
  });
}

async function measure(chosen: Figure[], stage: Stage, report: Report, quick: boolean): Promise<void> {
  let host: Promise<Host> | undefined;
  let histories: Promise<Histories> | undefined;
  const bench: Bench = {
    stage,
    report,
    quick,
    host: () => {
      host ??= stage.host('avow_main');
      return host;
    },
    histories: () => {
      histories ??= makeHistories(bench);
      return histories;
    },
    pace: quick
      ? { goal: { rounds: 3, seconds: 1 }, other: { rounds: 1, seconds: 0.5 } }
      : { goal: { rounds: 9, seconds: 2 }, other: { rounds: 3, seconds: 1 } },
  };
  for (const figure of chosen) {
    report.say(`${figure.name} …`);
    await figure.run(bench);
  }
}

main().catch((error: Error) => {
  process.stderr.write(`The benchmark failed: ${error.message}\n`);
  process.exitCode = 1;
});
