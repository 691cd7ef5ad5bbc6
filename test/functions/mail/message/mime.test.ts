import PostalMime from 'postal-mime';
import { boundedWords, daybookHeaders, headOf, type SenderProfile } from '#mail/message/mail-head.ts';
import { bareAddress } from '#registry/mail-address.ts';
import { composeMail, type MailParts } from '#mail/message/mime.ts';
import { renderReport } from '#page/rendering/report/render-report.ts';
import { HOSTILE_NAMES, aReport } from '#support/rendering/reports.ts';
import { fc, forAllAsync, ANY_CHARACTER, membersOf } from '#support/assertions/index.ts';
import { daybookHeadersIn } from '#support/readers/mail-source.ts';
import { python } from '#support/readers/python.ts';

const PYTHON_READER = `
import email, email.policy, json, sys
message = email.message_from_bytes(sys.stdin.buffer.read(), policy=email.policy.default)
body = lambda kind: message.get_body((kind,)).get_content().replace('\\r\\n', '\\n')
print(json.dumps({
    'headers': sorted(name.lower() for name in message.keys()),
    'subject': message['subject'],
    'from': [[a.display_name, a.addr_spec] for a in message['from'].addresses],
    'to': [a.addr_spec for a in message['to'].addresses],
    'date': message['date'].datetime.isoformat(),
    'text': body('plain'), 'html': body('html'),
    'attachments': [[a.get_filename(), a.get_content_type(), a.get_payload(decode=True).hex()] for a in message.iter_attachments()],
    'replyTo': [a.addr_spec for a in message['reply-to'].addresses] if message['reply-to'] else [],
    'list': message['list-unsubscribe'], 'references': message['references'], 'inReplyTo': message['in-reply-to'],
    'own': {name.lower(): value for name, value in message.items() if name.lower().startswith('x-daybook-')},
    'defects': [repr(d) for part in message.walk() for d in part.defects],
}))
`;

const HEADERS = [
  'auto-submitted',
  'content-type',
  'date',
  'from',
  'message-id',
  'mime-version',
  'subject',
  'to',
];

/** The text without line breaks at its end, because postal-mime adds or removes them, depending on the encoding. */
async function readByPostalMime(raw: Uint8Array) {
  const mail = await PostalMime.parse(raw);
  const part = (text = '') => `${text.trimEnd()}\n`;
  return { ...mail, text: part(mail.text), html: part(mail.html) };
}

const at = Date.UTC(2026, 10, 21, 3, 0, 7);

function someParts(changes: Partial<MailParts> = {}): MailParts {
  return {
    from: 'دفتر اليومية <daybook@mail.example.com>',
    to: 'someone@example.com',
    subject: 'Kuwait Coffee · 2026-11-20',
    text: 'one\ntwo — three\n',
    html: '<p>one</p>\n',
    at,
    ...changes,
  };
}

const csv = {
  filename: '700001-2026-11-20.csv',
  content: Buffer.from('\uFEFF"a","b"\r\n'),
  contentType: 'text/csv; charset=utf-8',
};

/** The header lines, unfolded. */
function headerLines(raw: Uint8Array): string[] {
  const message = Buffer.from(raw).toString('latin1');
  return message
    .slice(0, message.indexOf('\r\n\r\n'))
    .replace(/\r\n[ \t]/g, ' ')
    .split('\r\n');
}

describe('a composed mail', () => {
  it('is read correctly by Python, without a defect', async () => {
    const parts = someParts({ attachments: [csv] });
    expect(await python(PYTHON_READER, await composeMail(parts))).toEqual({
      headers: HEADERS,
      subject: parts.subject,
      from: [['دفتر اليومية', 'daybook@mail.example.com']],
      to: ['someone@example.com'],
      date: '2026-11-21T03:00:07+00:00',
      text: parts.text,
      html: parts.html,
      attachments: [[csv.filename, 'text/csv', csv.content.toString('hex')]],
      ...{ replyTo: [], list: null, references: null, inReplyTo: null, own: {} },
      defects: [],
    });
  });

  it('has only CRLF line ends, and no line that is too long for SMTP', async () => {
    const long = `${'word '.repeat(400)}\n${'x'.repeat(3000)}\n`;
    const parts = someParts({ text: long, html: `<p>${long}</p>`, attachments: [csv] });
    const raw = Buffer.from(await composeMail(parts));
    expect(raw.toString('latin1')).not.toMatch(/[^\r]\n|\r[^\n]/);
    for (const line of raw.toString('latin1').split('\r\n')) expect(line.length).toBeLessThanOrEqual(998);
    expect((await readByPostalMime(raw)).text).toBe(long);
  });

  it('has the same bytes for the same parts, and another Message-ID for other parts', async () => {
    const parts = someParts({ attachments: [csv] });
    const raw = Buffer.from(await composeMail(parts));
    expect(Buffer.from(await composeMail(structuredClone(parts)))).toEqual(raw);
    const id = (bytes: Uint8Array) => headerLines(bytes).find((line) => line.startsWith('Message-ID'));
    expect(id(raw)).toMatch(/^Message-ID: <[0-9a-f]{32}@mail\.example\.com>$/);
    for (const other of [
      { to: 'another@example.com' },
      { at: at + 1 },
      { attachments: [{ ...csv, content: Buffer.from('other') }] },
      { attachments: [csv, csv] },
    ]) {
      expect(id(await composeMail({ ...parts, ...other }))).not.toBe(id(raw));
    }
  });

  it('has the additional headers, and no value can add another header', async () => {
    const headers = { 'X-Daybook-Kind': 'report\r\nBcc: everyone@example.com' };
    const lines = headerLines(await composeMail(someParts({ headers })));
    expect(lines.filter((line) => /^X-Daybook-Kind: report/.test(line))).toHaveLength(1);
    expect(lines.some((line) => /^bcc/i.test(line))).toBe(false);
  });

  it('is for one recipient, whatever the address looks like', async () => {
    const raw = await composeMail(someParts({ to: 'a@example.com, b@example.com' }));
    expect((await readByPostalMime(raw)).to).toHaveLength(1);
  });
});

describe('the head of a mail about a merchant’s day', () => {
  const senderProfile: SenderProfile = {
    from: 'Daybook <daybook@mail.example.com>',
    replyTo: "o'ps+answers@example.com",
    unsubscribe: 'unsubscribe+daybook@example.com',
  };
  const headed = (
    merchantCode: string,
    day: string,
    changes: Partial<MailParts> = {},
    head = senderProfile,
    brand: { senderName?: string } = {},
  ) =>
    composeMail({
      ...someParts(),
      ...headOf(head, brand, { kind: 'report', merchantCode, day, revision: 2, internals: {} }),
      ...changes,
    });
  const rootOf = async (raw: Uint8Array | Promise<Uint8Array>) => {
    const lines = headerLines(await raw);
    const value = (name: string) =>
      lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
    expect(value('References')).toMatch(/^<thread\.[0-9a-f]{32}@mail\.example\.com>$/);
    expect(value('In-Reply-To')).toBe(value('References'));
    return value('References');
  };

  it('says where replies go and how to unsubscribe, in both readers', async () => {
    const raw = await headed('700001', '2026-11-20');
    const root = await rootOf(raw);
    const mailto = '<mailto:unsubscribe+daybook@example.com?subject=Unsubscribe%20700001>';
    expect(await python(PYTHON_READER, raw)).toMatchObject({
      headers: [
        ...HEADERS,
        ...['in-reply-to', 'list-unsubscribe', 'references', 'reply-to'],
        ...['x-daybook-kind', 'x-daybook-reference'],
      ].sort(),
      replyTo: [senderProfile.replyTo],
      list: mailto,
      references: root,
      inReplyTo: root,
      defects: [],
    });
    const mail = await PostalMime.parse(raw);
    expect(mail.replyTo).toEqual([{ name: '', address: senderProfile.replyTo }]);
    expect(mail.headers.find(({ key }) => key === 'list-unsubscribe')?.value).toBe(mailto);
  });

  it('has the sender’s name of the brand in From, and the address stays', async () => {
    for (const senderName of ['Gulf Pay, "Kuwait"; (ops)', 'خليج للدفع']) {
      const raw = await headed('1', '2026-11-20', {}, senderProfile, { senderName });
      const mail = await PostalMime.parse(raw);
      const address = 'daybook@mail.example.com';
      expect(mail.from).toEqual({ name: senderName, address });
      expect(await python(PYTHON_READER, raw)).toMatchObject({ from: [[senderName, address]], defects: [] });
    }
  });

  it('has neither of them if no address is set', async () => {
    const raw = await headed('700001', '2026-11-20', {}, { from: senderProfile.from });
    expect(headerLines(raw).filter((line) => /^(reply-to|list-)/i.test(line))).toEqual([]);
    await rootOf(raw);
  });

  it('puts every kind of mail of a day, to every recipient, in one thread, and another day in another thread', async () => {
    const root = await rootOf(headed('700001', '2026-11-20'));
    const other = { to: 'x@example.com', subject: 'Correction', html: 'y', at: at + 1, attachments: [csv] };
    expect(await rootOf(headed('700001', '2026-11-20', other))).toBe(root);
    expect(await rootOf(headed('700001', '2026-11-21'))).not.toBe(root);
    expect(await rootOf(headed('700002', '2026-11-20'))).not.toBe(root);
  });

  it('cannot get another header from a code or a day, whatever they contain', async () => {
    const names = (raw: Uint8Array) => headerLines(raw).map((line) => line.split(':')[0]);
    const expected = names(await headed('700001', '2026-11-20'));
    for (const hostile of HOSTILE_NAMES) {
      const raw = await headed(hostile, hostile);
      expect(names(raw)).toEqual(expected);
      expect(headerLines(raw).join('')).toMatch(/^[\x20-\x7e]*$/);
      await rootOf(raw);
    }
  });
});

it.each(['en', 'ar'] as const)(
  'with any characters in a name a report in %s is read by both readers as it was rendered',
  async (language) => {
    for (const name of HOSTILE_NAMES) {
      const rendered = renderReport(aReport({ merchant: { name, language } }));
      const raw = await composeMail(someParts({ ...rendered, attachments: [csv] }));
      const mail = await readByPostalMime(raw);
      expect({ subject: mail.subject, text: mail.text, html: mail.html }).toEqual(rendered);
    }
    const rendered = renderReport(aReport({ merchant: { name: HOSTILE_NAMES.join(' '), language } }));
    const raw = await composeMail(someParts({ ...rendered, attachments: [csv] }));
    expect(await python(PYTHON_READER, raw)).toMatchObject({ ...rendered, headers: HEADERS, defects: [] });
  },
);

it.each([
  ['daybook@example.com', 'daybook@example.com'],
  ['Daybook <daybook@example.com>', 'daybook@example.com'],
  ['"Day, Book" <daybook@example.com> ', 'daybook@example.com'],
])('the bare address of %s is %s', (sender, address) => {
  expect(bareAddress(sender)).toBe(address);
});

const lowerCased = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

describe('the headers that are Daybook’s own', () => {
  it.each(['report', 'alert'] as const)('name a %s and what identifies it, in both readers', async (kind) => {
    const headers = daybookHeaders({
      kind,
      reference: ['700001', '2026-11-20', 2],
      internals: {
        Pull: '20261121T030005Z-9f2c61aa',
        Manifest: 'days/day=2026-11-20/merchant=700001/r0002.json',
        Rules: boundedWords(Array.from({ length: 90 }, (_, index) => `a-rule-of-the-merchant-${index}`)),
      },
    });
    expect(headers).toMatchObject({
      'X-Daybook-Kind': kind,
      'X-Daybook-Reference': '700001 2026-11-20 2',
      'X-Daybook-Pull': '20261121T030005Z-9f2c61aa',
    });
    const raw = await composeMail(someParts({ headers }));
    expect(await daybookHeadersIn(raw)).toEqual(lowerCased(headers));
    const { own, defects } = membersOf(await python(PYTHON_READER, raw));
    expect({ own, defects }).toEqual({ own: lowerCased(headers), defects: [] });
  });

  it('are one bounded line of ASCII each, whatever a value holds', async () => {
    const hostile = fc.oneof(
      fc.constantFrom(...HOSTILE_NAMES),
      fc.string({ unit: ANY_CHARACTER, maxLength: 1500 }),
    );
    await forAllAsync([hostile], async (text) => {
      const headers = daybookHeaders({ kind: 'alert', reference: [text], internals: { Check: text } });
      for (const value of Object.values(headers)) expect(value).toMatch(/^[\w ./:=+-]{1,500}$/);
      const raw = await composeMail(someParts({ headers }));
      expect(await daybookHeadersIn(raw)).toEqual(lowerCased(headers));
    });
  });
});

it('of too many words the first are written, and how many more there are', () => {
  const words = Array.from({ length: 60 }, (_, index) => `${'r'.repeat(60)}${index}`);
  const written = boundedWords(words);
  expect(written).toMatch(/^r+0 r+1 r+2 .* \+53$/);
  expect(written.length).toBeLessThanOrEqual(500);
});
