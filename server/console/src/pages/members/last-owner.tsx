import { Alert, Button, Dialog } from '../../ui';

/** Says why the last owner stays one, before anybody tries. */
export function LastOwner({ title, onClose }: { title: string; onClose: () => void }) {
  return (
    <Dialog isOpen onClose={onClose} title={title}>
      <Alert tone="warn" title="This is the last owner who can log in">
        A site without an owner could be managed by nobody. Make somebody else an owner first: people who are
        invited count once they have accepted.
      </Alert>
      <div className="row end">
        <Button variant="primary" onPress={onClose}>
          Close
        </Button>
      </div>
    </Dialog>
  );
}
