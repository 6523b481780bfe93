import { pipeline } from 'node:stream/promises';
import type { Download } from '../api/handler';
import type { Logger } from '../logger';
import type { Exchange } from './answer';

/**
 * Sends a file as fast as the client takes it. A failure in the middle cuts the connection, because the status is gone by then and a
 * short file must not look whole.
 */
export async function sendDownload(exchange: Exchange, { content }: Download, log: Logger): Promise<void> {
  try {
    await pipeline(content, exchange.response);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE') return;
    log.error(
      { error, request_id: exchange.requestId, operation: exchange.operationId },
      'a download broke off',
    );
    exchange.response.destroy();
  }
}
