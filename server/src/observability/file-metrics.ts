import { Counter, type Registry } from 'prom-client';

/** Of the bucket of files, for the metrics. */
export interface FileMetrics {
  asked(what: 'put' | 'get' | 'delete', result: 'done' | 'failed'): void;
}

export function createFileMetrics(registry: Registry): FileMetrics {
  const requests = new Counter({
    name: 'avow_files_bucket_requests_total',
    help: 'Requests to the bucket of files, by what was asked and whether it was done.',
    labelNames: ['what', 'result'],
    registers: [registry],
  });
  return { asked: (what, result) => requests.labels(what, result).inc() };
}
