import type { Item } from '@avow/sdk';
import { useState } from 'react';
import { keys, useAction, usePages } from '../../app/data';
import { useSession } from '../../app/session';
import { useSite } from '../../app/site';
import { Button, Card, ConfirmDialog, ErrorState, Form, Loading, Pager, TextArea, Time } from '../../ui';
import { useKeptDraft } from '../../ui/kept-draft';
import style from './dsar.module.css';

type Comment = Item<'listDsarComments'>;

/** What members write to each other about a request. */
export function Comments({ requestId }: { requestId: string }) {
  const { token, may } = useSite();
  const key = keys.site(token, 'dsar', requestId, 'comments');
  const pages = usePages(key, (api, cursor, signal) =>
    api.listDsarComments({ token, request_id: requestId, limit: 100, ...cursor }, { signal }),
  );
  return (
    <Card title="Comments">
      <p className="hint">For members of this site only. The person never sees them.</p>
      {pages.isPending ? <Loading lines={2} /> : <List pages={pages} requestId={requestId} />}
      {may('operator') && <AddComment requestId={requestId} changed={key} />}
    </Card>
  );
}

type Pages = ReturnType<typeof usePages<Comment>>;

function List({ pages, requestId }: { pages: Pages; requestId: string }) {
  const { token, may } = useSite();
  const user = useSession()?.user;
  const [asked, ask] = useState<Comment>();
  const remove = useAction(
    (api, comment_id: string) => api.deleteDsarComment({ token, request_id: requestId, comment_id }),
    {
      success: 'The comment is deleted.',
      changes: [keys.site(token, 'dsar', requestId, 'comments')],
      onDone: () => ask(undefined),
    },
  );
  if (pages.error !== null && pages.rows.length === 0)
    return <ErrorState error={pages.error} retry={() => pages.refetch()} />;
  if (pages.rows.length === 0) return <p>No comments yet.</p>;
  return (
    <>
      <ol className={style.comments}>
        {pages.rows.map((comment) => (
          <li key={comment.comment_id}>
            <span className="row">
              <strong>{comment.author}</strong>
              <span className="muted">
                <Time at={comment.created_at} />
                {comment.key_id !== null && ` · API key ${comment.key_id}`}
              </span>
              {may('operator') && (may('owner') || comment.user_id === user?.id) && (
                <Button
                  small
                  variant="quiet"
                  aria-label={`Delete the comment of ${comment.author}`}
                  onPress={() => {
                    remove.reset();
                    ask(comment);
                  }}
                >
                  Delete
                </Button>
              )}
            </span>
            <p className={style.said}>{comment.text}</p>
          </li>
        ))}
      </ol>
      {pages.hasNextPage && <Pager pages={pages} />}
      <ConfirmDialog
        isOpen={asked !== undefined}
        title="Delete this comment?"
        confirm="Delete"
        action={remove}
        onConfirm={() => asked && remove.run(asked.comment_id)}
        onCancel={() => ask(undefined)}
      >
        <p className={style.said}>{asked?.text}</p>
      </ConfirmDialog>
    </>
  );
}

function AddComment({ requestId, changed }: { requestId: string; changed: readonly unknown[] }) {
  const { token } = useSite();
  const draft = useKeptDraft(`dsar:comment:${requestId}`, { text: '' });
  const add = useAction(
    (api, text: string) => api.addDsarComment({ token, request_id: requestId, body: { text } }),
    { success: 'The comment is added.', changes: [changed], onDone: () => draft.discard() },
  );
  return (
    <Form action={add} submit="Add a comment" onSubmit={() => add.run(draft.value.text)}>
      <TextArea label="Comment" {...draft.bind('text')} maxLength={10000} isRequired />
    </Form>
  );
}
