import { createHash } from 'node:crypto';
import type { Express, Request, Response } from 'express';
import { JSON_TYPE, pack, StoredFile } from '../bundles/packed';
import type { Context } from '../context';
import type { Contract } from '../contract/operations';
import { limitLarge } from './admit';
import { mountConsole } from './console';
import { sendStored } from './files';
import type { Askers } from './probes';

/** What is served besides the API: the contract, and the console. */
export function mountPages(
  app: Express,
  { log }: Context,
  contract: Contract,
  { addressOf, limiter }: Askers,
): void {
  const document = (contentType: string, text: string) => {
    const file = packedOnce(contentType, text);
    return async (request: Request, response: Response): Promise<void> => {
      const { exchange } = response.locals;
      exchange.operationId = 'contract';
      exchange.open = true;
      limitLarge(limiter, 'contract', addressOf(request));
      sendStored(exchange, await file(), log);
    };
  };
  app.get('/openapi.json', document(JSON_TYPE, JSON.stringify(contract.document)));
  app.get('/openapi.yaml', document('application/yaml; charset=utf-8', contract.yaml));
  mountConsole(app);
}

/** Compressed when it is first asked for, and then kept. */
function packedOnce(contentType: string, text: string): () => Promise<StoredFile> {
  const tag = createHash('sha256').update(text).digest('base64url').slice(0, 22);
  let stored: Promise<StoredFile> | undefined;
  const store = async (): Promise<StoredFile> => {
    try {
      const packed = await pack(
        { text, tag, contentType, sender: ['contract', contentType] },
        () => undefined,
      );
      return new StoredFile(packed, 'public, max-age=300');
    } catch (error) {
      // Too much waited to be compressed: the next request tries again.
      stored = undefined;
      throw error;
    }
  };
  return () => {
    stored ??= store();
    return stored;
  };
}
