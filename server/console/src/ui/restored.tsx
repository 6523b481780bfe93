import { Alert } from './alert';
import { Button } from './button';

/** Says that values from an earlier visit were restored, and offers to discard them. */
export function Restored({ draft }: { draft: { restored: boolean; discard: () => void } }) {
  if (!draft.restored) return null;
  return (
    <Alert title="Your draft is still here">
      <div className="row">
        What you entered before you left this page was kept.
        <Button small onPress={draft.discard}>
          Discard it
        </Button>
      </div>
    </Alert>
  );
}
