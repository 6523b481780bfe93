import { Alert, Button, CodeBlock, Dialog } from '../../ui';

/** Shows the secret once. The dialog closes only when the user confirms that it is stored. */
export function SecretDialog({
  secret,
  title,
  onKept,
}: {
  secret: string | undefined;
  title: string;
  onKept: () => void;
}) {
  return (
    <Dialog isOpen={secret !== undefined} title={title}>
      <Alert tone="warn" title="Copy it now: it is shown only this once">
        Your receiver verifies the signature of each message with it (header X-Service-Signature). Whoever has
        it can forge messages.
      </Alert>
      <CodeBlock label="Secret" code={secret ?? ''} />
      <div className="row end">
        <Button variant="primary" onPress={onKept}>
          I have stored it
        </Button>
      </div>
    </Dialog>
  );
}
