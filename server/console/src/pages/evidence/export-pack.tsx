import type { Input } from '@avow/sdk';
import { useAction } from '../../app/data';
import { describe } from '../../app/errors';
import { saveFile } from '../../app/save-file';
import { useSite } from '../../app/site';
import { Alert, Button } from '../../ui';

/** What a pack is about. */
export type Subject = Omit<Input<'exportEvidence'>, 'token'>;

/** Saves a pack. No time limit: one of many records takes long. */
export function usePack() {
  const { token } = useSite();
  return useAction((api, subject: Subject) =>
    saveFile(api.exportEvidence({ token, ...subject }, { timeout: 0 })),
  );
}

/** A button that saves a pack. Viewers may have none. */
export function ExportPack({
  subject,
  label = 'Export evidence pack',
}: {
  subject: Subject;
  label?: string;
}) {
  const pack = usePack();
  return (
    <>
      <Button onPress={() => pack.run(subject)} isPending={pack.pending}>
        {pack.pending ? `${label} …` : label}
      </Button>
      <Failure error={pack.error} />
    </>
  );
}

/** Why a file could not be saved. */
export function Failure({ error }: { error: Error | null }) {
  if (error === null) return null;
  const { title, text } = describe(error);
  return (
    <Alert tone="bad" title={title} live>
      {text}
    </Alert>
  );
}
