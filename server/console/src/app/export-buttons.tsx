import type { Avow } from '@avow/sdk';
import { Alert, Button } from '../ui';
import { useAction } from './data';
import { describe } from './errors';
import { saveFile } from './save-file';

type Format = 'ndjson' | 'csv';

/** Buttons that save the filtered records as a file. */
export function ExportButtons({
  ask,
}: {
  ask: (api: Avow, format: Format, options: { timeout: 0 }) => Promise<Response>;
}) {
  // No time limit: a file of millions of records takes long.
  const save = useAction((api, format: Format) => saveFile(ask(api, format, { timeout: 0 })));
  return (
    <>
      <Button onPress={() => save.run('csv')} isPending={save.pending}>
        Export CSV
      </Button>
      <Button onPress={() => save.run('ndjson')} isPending={save.pending}>
        Export NDJSON
      </Button>
      {save.error !== null && (
        <Alert tone="bad" title="The file could not be exported" live>
          {describe(save.error).text}
        </Alert>
      )}
    </>
  );
}
