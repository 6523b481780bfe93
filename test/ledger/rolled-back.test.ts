import { createAvow } from '@avow/sdk';
import pino from 'pino';
import { readConfig } from '../../server/src/config';
import { notOnCluster } from '../helpers/cluster/skip';
import { admin, cloneDatabase, databaseUrl } from '../helpers/database';
import { growLog, vkeyOfSite } from '../helpers/ledger/grow';
import { vouchOnce, witnessesOf } from '../helpers/ledger/vouch';
import { WitnessProcess } from '../helpers/ledger/witness';
import { endChildren } from '../helpers/processes/child';
import { startServer, type TestServer } from '../helpers/server';

afterAll(endChildren);

notOnCluster('copies of databases are made of files here, which a cluster has on several nodes')(
  'a restored older database is recognised as a roll-back, and as a fork',
  async () => {
    const database = await cloneDatabase();
    const backup = `${database.name}_backup`;
    const options = { ROLE: 'api', PUBLIC_URL: 'https://consent.example.com' };
    const start = (url: string): Promise<TestServer> => startServer({ databaseUrl: url, variables: options });
    let server = await start(database.url);
    const { token, userId } = await server.site();
    const witness = await WitnessProcess.start([await vkeyOfSite(server, token)]);
    const variables = { WITNESSES: witnessesOf(witness) };
    try {
      await growLog(server, token, 5);
      await vouchOnce(server, { variables });
      await server.stop();
      await admin(`CREATE DATABASE ${backup} TEMPLATE ${database.name}`);
      server = await start(database.url);
      await growLog(server, token, 7);
      expect(await vouchOnce(server, { variables, minutes: 61 })).toContain('avow_ledger_rolled_back_logs 0');
      await server.stop();

      // The backup of before is restored, and life goes on.
      server = await start(databaseUrl(backup));
      await growLog(server, token, 3);
      const lines: string[] = [];
      const write = (line: string): void => void lines.push(line);
      const log = pino({ formatters: { level: (level) => ({ level }) } }, { write });
      const metrics = await vouchOnce(server, { variables, minutes: 61, log });
      expect(metrics).toContain('avow_ledger_rolled_back_logs 1');
      expect(metrics).toContain('avow_ledger_vouching_total{kind="witness",result="rolled_back"} 1');
      expect(
        lines.filter((line) => line.includes('rolled back or forked') && line.includes('"error"')),
      ).toHaveLength(1);
      const { config, tokens } = server.service.context;
      config.witnesses = readConfig(variables).witnesses;
      const { token: login } = await tokens.issue(userId);
      const client = createAvow({ baseUrl: server.url, token: login });
      const codes = async () => (await client.listWarnings({ token })).items.map(({ code }) => code);
      expect(await codes()).toContain('evidence_log_rolled_back');

      // It grows beyond what the witness knows: another history all the same.
      await growLog(server, token, 30);
      await vouchOnce(server, { variables, minutes: 200 });
      const [state] = await server.service.context.db('ledger_vouchers').select('problem', 'size');
      expect([state?.problem, Number(state?.size)]).toEqual(['other_tree', 5]);
      expect(await codes()).toContain('evidence_log_rolled_back');
      await server.stop();

      // The newest database again: nothing is wrong with it.
      server = await start(database.url);
      await growLog(server, token, 1);
      expect(await vouchOnce(server, { variables, minutes: 400 })).toContain(
        'avow_ledger_rolled_back_logs 0',
      );
    } finally {
      await server.stop();
      await admin(`DROP DATABASE IF EXISTS ${backup} WITH (FORCE)`);
      await database.drop();
    }
  },
  120_000,
);
