import type { Input } from '@avow/sdk';
import { useAction } from '../../app/data';
import { describe } from '../../app/errors';
import { saveFile } from '../../app/save-file';
import { useSite } from '../../app/site';
import { Alert, Button } from '../../ui';

type Filter = Omit<Input<'exportConsents'>, 'token' | 'format'>;

/** The filtered records as a file. The server streams it, and the browser writes it away as it comes. */
export function ExportButtons({ filter }: { filter: Filter }) {
  const { token } = useSite();
  // No limit of time: a file of millions of records takes its while.
  const save = useAction((api, format: 'ndjson' | 'csv') =>
    saveFile(api.exportConsents({ token, format, ...filter }, { timeout: 0 })),
  );
  return (
    <>
      <Button onPress={() => save.run('csv')} isPending={save.pending}>
        Export CSV
      </Button>
      <Button onPress={() => save.run('ndjson')} isPending={save.pending}>
        Export NDJSON
      </Button>
      {save.error !== null && (
        <Alert tone="bad" title="The file could not be made" live>
          {describe(save.error).text}
        </Alert>
      )}
    </>
  );
}
