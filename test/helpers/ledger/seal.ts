import { Sealer } from '../../../server/src/ledger/seal';
import type { TestServer } from '../server';

/** One run of the job that seals, for a server without jobs. */
export function sealNow({ service }: Pick<TestServer, 'service'>): Promise<void> {
  const { db, log, vault, publicUrl } = service.context;
  return new Sealer({ db, log, vault, publicUrl }).run();
}
