import type { Context } from '../context';
import { vetUrl } from '../webhooks/guard';

type Before = (context: Context, request: object) => Promise<void>;

const vet: Before = async ({ networkPolicy }, request) => {
  const { body } = request as { body?: { url?: string } };
  if (body?.url !== undefined) await vetUrl(body.url, networkPolicy);
};

/**
 * What an operation asks others' servers before its transaction begins: a connection of the database must not
 * be held while they answer. Throws what the operation would throw.
 */
export const before: Readonly<Record<string, Before | undefined>> = {
  createWebhook: vet,
  updateWebhook: vet,
};
