import { useAction } from '../../app/data';
import { jsonFile, saveFile } from '../../app/save-file';
import { useSite } from '../../app/site';
import { Button } from '../../ui';
import { Failure } from '../evidence/export-pack';
import type { Proof } from './facts';

/** Saves the receipt that the visitor can have, too. A viewer does not know the session, which is the key to it. */
export function SaveReceipt({ proof: { consent_id, session_id } }: { proof: Proof }) {
  const { token } = useSite();
  const save = useAction((api) =>
    saveFile(
      api
        .getConsentReceipt({ token, consent_id, session_id })
        .then((receipt) => jsonFile(`receipt-${consent_id}.json`, receipt)),
    ),
  );
  return (
    <>
      <Button onPress={() => save.run(undefined)} isPending={save.pending}>
        Save the visitor’s receipt
      </Button>
      <Failure error={save.error} />
    </>
  );
}
