import type { Kind } from './kinds';
import type { Answers } from './load';
import { readAnswer } from './one-answer';
import { makeTable } from './one-insert';
import type { Contestant } from './race';
import { number, prepare } from './requests';
import type { Host, Stage } from './stage';

/** Connections of the naive design's pool. */
const NAIVE_POOL = 20;
const CLIENTS = 64;

/** Avow as a contestant, with requests of one kind. */
export const avow = (stage: Stage, host: Host, name: string, kind: Kind): Contestant => ({
  name,
  run: (connections, seconds) => stage.ask(host, kind, connections, { seconds }),
});

/** The same with its processor time, which takes a moment to read. */
export const avowWithCpu = (stage: Stage, host: Host, name: string, kind: Kind): Contestant => ({
  ...avow(stage, host, name, kind),
  cpu: () => host.avow.cpu(),
});

export const BARE = 'bare node:http';
export const NAIVE = 'one insert per request';
export const INSERTS = 'one-insert transactions';

/** A bare node:http server that gives the same answer as Avow. */
export const bare = (stage: Stage, host: Host, kind: Kind): Promise<Contestant> =>
  fixedServer(stage, host, kind, BARE, []);

/** The same server with one insert for each request. */
export async function naive(stage: Stage, host: Host, kind: Kind): Promise<Contestant> {
  const { url } = await stage.reference();
  await makeTable(url, 'reference_naive');
  return fixedServer(stage, host, kind, NAIVE, [url, String(NAIVE_POOL)]);
}

/** Clients that commit one insert after the other, without any HTTP. */
export async function inserts(stage: Stage): Promise<Contestant> {
  const { url } = await stage.reference();
  await makeTable(url, 'reference_inserts');
  const child = await stage.child('inserts', { args: [url, String(CLIENTS)] });
  return { name: INSERTS, run: (_, seconds) => child.call({ seconds }) };
}

async function fixedServer(
  stage: Stage,
  host: Host,
  kind: Kind,
  name: string,
  args: string[],
): Promise<Contestant> {
  const [template = { text: '' }] = kind.templates(host.database.tokens);
  const prepared = prepare(template);
  number(prepared, host.asked);
  host.asked += 1;
  host.ledger.add(kind.promises, 1);
  const child = await stage.child('reference', { args });
  const port = await child.call<number>(await readAnswer(host.avow.port, prepared.bytes));
  const run = (connections: number, seconds: number): Promise<Answers> =>
    stage.send({ port, connections, templates: [template], first: 0, seconds });
  await run(64, 1);
  return { name, run, cpu: () => child.call<number>({ cpu: true }) };
}
