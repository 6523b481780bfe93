import style from './new-site.module.css';

const NAMES = ['Domain', 'Settings', 'Snippet'];

/** The steps to a site that collects decisions, with the current one marked. */
export function Steps({ current }: { current: 1 | 2 | 3 }) {
  return (
    <ol className={style.steps} aria-label="Steps">
      {NAMES.map((name, index) => (
        <li
          key={name}
          aria-current={index + 1 === current ? 'step' : undefined}
          className={index + 1 < current ? style.done : undefined}
        >
          <span className={style.stepNumber} aria-hidden="true">
            {index + 1 < current ? '✓' : index + 1}
          </span>
          {name}
        </li>
      ))}
    </ol>
  );
}
