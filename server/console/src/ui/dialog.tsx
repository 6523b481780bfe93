import './dialog.css';
import { type ReactNode, useEffect } from 'react';
import { Dialog as AriaDialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { describe } from '../app/errors';
import { Alert } from './alert';
import { Button } from './button';

interface DialogProps {
  isOpen: boolean;
  /** Undefined: the person has to answer. */
  onClose?: () => void;
  title: string;
  children: ReactNode;
  /** `alertdialog` interrupts: for questions that must be answered. */
  role?: 'dialog' | 'alertdialog';
  wide?: boolean;
}

/** A window over the page. */
export function Dialog({ isOpen, onClose, title, children, role = 'dialog', wide = false }: DialogProps) {
  useHeadingAfter(isOpen);
  return (
    <ModalOverlay
      className="overlay"
      isOpen={isOpen}
      isDismissable={false}
      isKeyboardDismissDisabled={onClose === undefined}
      onOpenChange={(open) => !open && onClose?.()}
    >
      <Modal className={wide ? 'modal wide' : 'modal'}>
        <AriaDialog role={role} className="dialog">
          <Heading slot="title" className="dialog-title">
            {title}
          </Heading>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

/** If the button that opened the dialog is gone, the focus moves to the page's heading. */
function useHeadingAfter(isOpen: boolean): void {
  useEffect(() => {
    if (!isOpen) return;
    const goOn = () => {
      if (document.activeElement === document.body) document.querySelector('h1')?.focus();
    };
    // After the library, which gives the focus back in the next frame.
    return () => void requestAnimationFrame(() => requestAnimationFrame(goOn));
  }, [isOpen]);
}

interface ConfirmProps {
  isOpen: boolean;
  title: string;
  children: ReactNode;
  /** Name of the button that does it: the verb. */
  confirm: string;
  cancel?: string;
  /** What `useAction` returned, when a call is made: its error is shown here. */
  action?: { pending: boolean; error: Error | null };
  onConfirm: () => void;
  onCancel: () => void;
  isDisabled?: boolean;
}

/** Asks before something that cannot be undone. */
export function ConfirmDialog(props: ConfirmProps) {
  const { isOpen, title, children, confirm, cancel = 'Cancel', action, onConfirm, onCancel } = props;
  const failure = action?.error ? describe(action.error) : undefined;
  return (
    <Dialog isOpen={isOpen} onClose={onCancel} title={title} role="alertdialog">
      <div className="stack">{children}</div>
      {failure !== undefined && (
        <Alert tone="bad" title={failure.title} live>
          {failure.text}
        </Alert>
      )}
      <div className="row end">
        <Button onPress={onCancel} autoFocus>
          {cancel}
        </Button>
        <Button
          variant="danger"
          onPress={onConfirm}
          isPending={action?.pending ?? false}
          isDisabled={props.isDisabled ?? false}
        >
          {confirm}
        </Button>
      </div>
    </Dialog>
  );
}
