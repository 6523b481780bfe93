import { Alert, Button, CodeBlock } from '../../ui';

/** The link of an invitation, which is shown only once. */
export function InvitationLink({ link, onClose }: { link: string; onClose: () => void }) {
  return (
    <>
      <CodeBlock label="Invitation link" code={link} />
      <Alert tone="warn" title="It is shown only once">
        Give it only to this person: they accept with their account, or choose a password if they have none.
        It works once, for this site, and expires after 7 days. If it gets lost, make a new one in the list of
        members.
      </Alert>
      <div className="row end">
        <Button variant="primary" onPress={onClose}>
          I have copied it
        </Button>
      </div>
    </>
  );
}
