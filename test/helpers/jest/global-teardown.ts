import { rmSync } from 'node:fs';
import { admin, TEMPLATE } from '../database';
import './global-setup';

export default async function teardown(): Promise<void> {
  await globalThis.avowBrowser?.();
  if (globalThis.avowCluster !== undefined) return globalThis.avowCluster.stop();
  const running = globalThis.avowEmbedded;
  if (running === undefined) {
    await admin(`DROP DATABASE IF EXISTS ${process.env[TEMPLATE]} WITH (FORCE)`);
    return;
  }
  await running.embedded.stop();
  rmSync(running.folder, { recursive: true, force: true });
}
