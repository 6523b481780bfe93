import { Alert, Button, CodeBlock, Dialog } from '../../ui';

/** Recovery codes, which are shown once. */
export function ShownCodes({
  codes,
  onClose,
}: {
  codes: readonly string[] | undefined;
  onClose: () => void;
}) {
  return (
    <Dialog isOpen={codes !== undefined} onClose={onClose} title="Keep these recovery codes">
      <CodeBlock label="Recovery codes" code={(codes ?? []).join('\n')} />
      <Alert tone="warn" title="They are shown only once">
        Each lets you in once, in place of a second factor. Print them, or keep them in a password manager.
      </Alert>
      <div className="row end">
        <Button variant="primary" onPress={onClose}>
          I have kept them
        </Button>
      </div>
    </Dialog>
  );
}
