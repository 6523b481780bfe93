import { randomUUID } from 'node:crypto';
import { openNote } from '../../server/src/domain/ledger/open-note';
import { Authority, hasOpenssl } from '../helpers/ledger/authority';
import { FalseWitness } from '../helpers/ledger/false-witness';
import { witnessesOf } from '../helpers/ledger/vouch';
import { endChildren } from '../helpers/processes/child';
import { startServer } from '../helpers/server';
import { until } from '../helpers/until';

afterAll(endChildren);

// Everything by itself, as an operator starts it: a decision, sealing, a witness and an authority.
(hasOpenssl ? test : test.skip)(
  'a decision is sealed, cosigned and time-stamped by the jobs of the server',
  async () => {
    const witness = await new FalseWitness('whole.example').listen();
    const authority = new Authority();
    const TIMESTAMP_URLS = await authority.listen();
    const variables = { WITNESSES: witnessesOf(witness), TIMESTAMP_URLS, SEAL_SECONDS: '1' };
    const server = await startServer({ variables });
    try {
      const { token } = await server.site();
      await server.visitor.logConsent({ token, body: { session_id: randomUUID(), decision: 'accept_all' } });
      const state = await until(
        'others vouch for the log',
        async () => {
          const log = await server.visitor.getEvidenceLog({ token });
          return log.witnesses[0]?.size && log.timestamps[0]?.size ? log : undefined;
        },
        90_000,
      );
      const names = openNote(state.witnesses[0]?.checkpoint ?? '')?.signatures.map(({ name }) => name);
      expect(names).toEqual([state.origin, 'whole.example']);
      const [stamp] = state.timestamps;
      const text = openNote(stamp?.checkpoint ?? '')?.text ?? '';
      expect(authority.verifies(Buffer.from(stamp?.token ?? '', 'base64'), text)).toContain(
        'Verification: OK',
      );
      const metrics = await (await fetch(`${server.url}/metrics`)).text();
      expect(metrics).toContain('avow_ledger_vouching_total{kind="authority",result="vouched"} 1');
      expect(metrics).toContain('avow_ledger_unvouched_logs 0');
    } finally {
      await server.stop();
      await witness.close();
      authority.close();
    }
  },
  120_000,
);
