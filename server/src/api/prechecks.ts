import type { Context } from '../context';
import { vetUrl } from '../webhooks/guard';

type Precheck = (context: Context, request: object) => Promise<void>;

const vet: Precheck = async ({ networkPolicy }, request) => {
  const { body } = request as { body?: { url?: string } };
  if (body?.url !== undefined) await vetUrl(body.url, networkPolicy);
};

/**
 * Checks that call other servers and therefore run before the operation's transaction: no database connection
 * may be held while they answer. Throws what the operation would throw.
 */
export const prechecks: Readonly<Record<string, Precheck | undefined>> = {
  createWebhook: vet,
  updateWebhook: vet,
};
