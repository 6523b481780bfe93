import { Button, Card } from '../../ui';
import style from './banner.module.css';
import type { Editor } from './draft';
import { LOOKS, withLook } from './looks';

/** Ready looks: one fills the form, and is saved like anything that is typed. */
export function LookList({ editor }: { editor: Editor }) {
  const { banner } = editor.value;
  return (
    <Card title="Ready looks">
      <p className="muted">
        One of them fills in layout, position, colours and design below. Texts, buttons and logo stay.
      </p>
      <ul className={style.looks}>
        {LOOKS.map((look) => (
          <li key={look.name}>
            <Button
              small
              aria-label={`Use the look ${look.name}`}
              onPress={() => editor.setBanner(withLook(look, banner))}
            >
              {look.name}
            </Button>
            <span className="hint">{look.about}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
