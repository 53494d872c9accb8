import type { ReactNode } from 'react';

/** A logo of 24 by 24: a coloured square with a simple mark. */
const square = (colour: string, mark: ReactNode) => (
  <>
    <rect width="24" height="24" rx="6" fill={colour} />
    <g fill="none" stroke="#fff" strokeWidth="2" strokeLinecap="round" strokeLinejoin="round">
      {mark}
    </g>
  </>
);

/** The marks of kinds and providers. They are drawn for this console and resemble theirs. */
const LOGOS: Readonly<Record<string, ReactNode>> = {
  webhook: square(
    '#c2315b',
    <>
      <circle cx="12" cy="8" r="2.4" />
      <circle cx="7" cy="16" r="2.4" />
      <circle cx="17" cy="16" r="2.4" />
      <path d="m10.8 10.2-2.6 3.9m5-3.9 2.6 3.9M9.4 16h5.2" />
    </>,
  ),
  email: square('#2353d9', <path d="M5 7h14v10H5zm0 1 7 5 7-5" />),
  smtp: square('#4a5260', <path d="M5 7h14v10H5zm0 1 7 5 7-5" />),
  amqp: square('#d95b00', <path d="M6 18V6h3v5h6V6m0 5h3v7zm9.5-3.5h.01" />),
  sqs: square('#b0084d', <path d="M5 8h4v8H5zm6 0h4v8h-4zm7 1.5v5" />),
  kafka: square(
    '#231f20',
    <>
      <circle cx="9" cy="12" r="2" />
      <circle cx="9" cy="6" r="1.4" />
      <circle cx="9" cy="18" r="1.4" />
      <circle cx="15.5" cy="9" r="1.4" />
      <circle cx="15.5" cy="15" r="1.4" />
      <path d="M9 8v2m0 4v2m1.8-4.9 3.3-1.5m-3.3 3.3 3.3 1.5" />
    </>,
  ),
  ses: square('#c7511f', <path d="M5 8h14v6H5zm0 .5 7 4 7-4M7 18c3 1.4 7 1.4 10 0" />),
  sendgrid: square('#0f7cc0', <path d="M6 18v-4h4v4zm4-4v-4h4v4zm4-4V6h4v4z" />),
  postmark: square('#8a6d00', <path d="M9 18V6h4a3.5 3.5 0 0 1 0 7H9" />),
  mailgun: square(
    '#c02126',
    <>
      <circle cx="12" cy="12" r="2.6" />
      <path d="M14.6 10v2.6a2.2 2.2 0 0 0 4.4-.6 7 7 0 1 0-2.6 5.4" />
    </>,
  ),
  resend: square('#101214', <path d="M8 18V6h5a3.2 3.2 0 0 1 0 6.4H8m4.6 0L17 18" />),
  senders: square(
    '#0b6b3c',
    <path d="M5 12h4l4-5h6m-10 5 4 5h6m-2.5-12.5L19 7l-2.5 2.5m0 5 2.5 2.5-2.5 2.5" />,
  ),
};

const OTHER = square('#4a5260', <path d="M12 6v12M6 12h12" />);

/** The logo of a kind of channels or of a provider. Its name is shown next to it. */
export function Logo({ of }: { of: string }) {
  return (
    <svg className="logo" viewBox="0 0 24 24" aria-hidden="true">
      {LOGOS[of] ?? OTHER}
    </svg>
  );
}

/** Radio buttons that look like cards. */
export function Cards({
  legend,
  options,
  value,
  onChange,
}: {
  legend: string;
  options: readonly (readonly [value: string, name: string, about?: string])[];
  value: string | null;
  onChange: (value: string) => void;
}) {
  return (
    <fieldset className="stack-tight">
      <legend>{legend}</legend>
      <div className="cards">
        {options.map(([each, name, about]) => (
          <label key={each} className="choice-card">
            <input
              type="radio"
              name={legend}
              value={each}
              checked={each === value}
              onChange={() => onChange(each)}
            />
            <Logo of={each} />
            <span>
              <strong>{name}</strong>
              {about && <span className="hint">{about}</span>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
